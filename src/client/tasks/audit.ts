// What was written down: answers, changes of what agents may do or run, and who signed in.

import { useInfiniteQuery } from "@tanstack/react-query";
import type { Ask, AuditAction } from "../../contract.ts";
import { api, queryClient, unwrap } from "../shared/api/client.ts";
import type { AuditEntry } from "../shared/api/rows.ts";

const LISTS = ["audit"];
const PAGE = 50;

/** Of a task and its project as a whole, of a project and its tasks, or everything. */
export interface AuditOf {
  task?: string;
  project?: string;
}

/** Newest first, one page after the other. */
export const useAudit = (of: AuditOf) =>
  useInfiniteQuery({
    queryKey: [...LISTS, of],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam: before }) =>
      unwrap(api.audit.get({ query: { ...of, limit: PAGE, ...(before !== undefined && { before }) } })),
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.id),
  });

export const refreshAudit = () => void queryClient.invalidateQueries({ queryKey: LISTS });

export const askOf = ({ detail }: AuditEntry) => (detail.ask ?? null) as Ask | null;

const TITLES: Record<Exclude<AuditAction, "answer" | "ask_over">, string> = {
  answer_too_late: "The answer below came too late",
  input: "Typed while it asked",
  agent_options: "Agent options changed",
  agent: "Agent changed",
  setup_command: "Setup command changed",
  agents_file: "agents.toml changed",
  sign_in: "Signed in",
};

/** What was done, in a few words. */
export function auditTitle(entry: AuditEntry): string {
  const { action, detail } = entry;
  if (action === "ask_over")
    return detail.hasEnded === true ? "Not answered when the session ended" : "Answered in the terminal";
  if (action !== "answer") return TITLES[action] ?? "Settings changed"; // by a server newer than this page
  if (askOf(entry)?.questions) return detail.decision === "deny" ? "Dismissed" : "Answered";
  if (detail.decision === "deny") return "Denied";
  return detail.decision === "always" ? "Always allowed" : "Allowed";
}

/** Who did it, where the title doesn't say it. */
export const auditWho = ({ who }: AuditEntry) => (who.by === "terminal" ? null : who.name);

/** What it was about, in full: for an answer exactly what was shown. */
export function auditText(entry: AuditEntry): string {
  const { action, detail } = entry;
  if (action === "answer_too_late") return "";
  if (action === "agents_file") return String(detail.text);
  if (action === "sign_in") return `from ${detail.from ?? "this machine"}`;
  if (action !== "answer" && action !== "ask_over" && action !== "input")
    return `${asText(detail.before)} → ${asText(detail.after)}`;
  const ask = askOf(entry);
  const given = [detail.message, ...Object.entries(detail.answers ?? {}).map(([q, a]) => `${q} ${a}`)];
  return [ask?.detail ?? ask?.summary, ...given].filter(Boolean).join("\n");
}

const asText = (value: unknown) =>
  value === null ? "none" : typeof value === "string" ? value : JSON.stringify(value);
