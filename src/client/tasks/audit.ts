// What was written down about answers, and about changes of what agents may do or run.

import { useQuery } from "@tanstack/react-query";
import type { Ask, AuditAction } from "../../contract.ts";
import { api, queryClient, unwrap } from "../shared/api/client.ts";
import type { AuditEntry, Task } from "../shared/api/rows.ts";

const AUDIT = ["audit"];
const RECENT = [...AUDIT, "answers"];
const DAY_MS = 86_400_000;

/** Of a task, and of its whole project; newest first. */
export const useTaskAudit = ({ id, projectId }: Task) =>
  useQuery({
    queryKey: [...AUDIT, id],
    queryFn: () => unwrap(api.audit.get({ query: { task: id, project: projectId } })),
  });

const fetchAnswers = () => {
  const since = new Date(Date.now() - DAY_MS).toISOString();
  return unwrap(api.audit.get({ query: { since, action: "answer" } }));
};

/** Requests that were answered in this tab, whose person knows. */
const own = new Set<string>();
export const noteOwnAnswer = (ask: string) => own.add(ask);

/** The last answer in this session, if somebody or something else gave it. */
export function useAnswerFromElsewhere({ id, sessionStartedAt }: Task): AuditEntry | undefined {
  const { data = [] } = useQuery({ queryKey: RECENT, queryFn: fetchAnswers });
  const last = data.find(({ taskId }) => taskId === id);
  if (last === undefined || last.at < (sessionStartedAt ?? "")) return undefined;
  const ask = last.detail.ask as Ask | null;
  return ask !== null && own.has(ask.id) ? undefined : last;
}

export function takeAuditEntry(entry: AuditEntry) {
  if (entry.action === "answer")
    queryClient.setQueryData<AuditEntry[]>(RECENT, (before) => before && [entry, ...before]);
  void queryClient.invalidateQueries({
    queryKey: AUDIT,
    predicate: ({ queryKey }) => queryKey[1] !== RECENT[1],
  });
}

const CHANGED: Record<Exclude<AuditAction, "answer" | "answer_too_late">, string> = {
  agent_options: "Agent options changed",
  agent: "Agent changed",
  setup_command: "Setup command changed",
  agents_file: "agents.toml changed",
};

/** What was done, in a few words. */
export function auditTitle({ action, detail }: AuditEntry): string {
  if (action === "answer_too_late") return "The answer below came too late";
  if (action !== "answer") return CHANGED[action] ?? "Settings changed"; // by a server newer than this page
  if ((detail.ask as Ask | null)?.questions) return detail.decision === "deny" ? "Dismissed" : "Answered";
  if (detail.decision === "deny") return "Denied";
  return detail.decision === "always" ? "Always allowed" : "Allowed";
}

/** What it was about, in full: for an answer exactly what was shown. */
export function auditText({ action, detail }: AuditEntry): string {
  if (action === "answer_too_late") return "";
  if (action === "agents_file") return String(detail.text);
  if (action !== "answer") return `${asText(detail.before)} → ${asText(detail.after)}`;
  const ask = detail.ask as Ask | null;
  const given = [detail.message, ...Object.entries(detail.answers ?? {}).map(([q, a]) => `${q} ${a}`)];
  return [ask?.detail ?? ask?.summary, ...given].filter(Boolean).join("\n");
}

const asText = (value: unknown) =>
  value === null ? "none" : typeof value === "string" ? value : JSON.stringify(value);
