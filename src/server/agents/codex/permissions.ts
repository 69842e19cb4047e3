// What Codex may do without asking, by the settings of its conversation. Pure.
import type { Permissions } from "../../../contract.ts";
import type { Observation } from "../reading.ts";
import { allowsOf } from "./options.ts";
import { CHANNEL, type ChannelNote, type Fields, fields, parseMessage, SAID, text } from "./protocol.ts";

export interface ThreadPermissions {
  threadId: string;
  permissions: Permissions | null;
}

export function permissionsAfter(
  known: ThreadPermissions | null,
  observation: Observation,
): ThreadPermissions | null {
  if (observation.type !== "note") return known;
  if (observation.source === CHANNEL) {
    const note = observation.body as ChannelNote;
    if (note.type !== "thread") return known;
    const threadId = text(note.thread.id);
    if (note.settings !== undefined) return { threadId, permissions: permissionsOf(note.settings) };
    return known?.threadId === threadId ? known : { threadId, permissions: null };
  }
  const said = observation.source === SAID ? parseMessage(observation.body) : undefined;
  const { threadId = "" } = known ?? {};
  if (said?.method !== "thread/settings/updated" || said.params.threadId !== threadId) return known;
  return { threadId, permissions: permissionsOf(fields(said.params.threadSettings)) };
}

const SANDBOXES: Record<string, Parameters<typeof allowsOf>[0]["sandbox"]> = {
  readOnly: "read-only",
  workspaceWrite: "workspace-write",
  dangerFullAccess: "danger-full-access",
};

/** null where they are not among those that can be put into words. */
function permissionsOf({ approvalPolicy, approvalsReviewer, sandboxPolicy }: Fields): Permissions | null {
  const sandbox = SANDBOXES[text(fields(sandboxPolicy).type)];
  if (sandbox === undefined) return null;
  // Nothing is left for which it would have to ask.
  if (sandbox === "danger-full-access")
    return { allows: "Runs everything without asking", isUnlimited: true };
  if (approvalPolicy !== "never" && approvalPolicy !== "on-request") return null;
  const isReviewed = approvalsReviewer === "auto_review" && approvalPolicy === "on-request";
  const allows = allowsOf({
    sandbox,
    approval: approvalPolicy,
    ...(isReviewed && { reviewer: "auto_review" }),
  });
  return allows === undefined ? null : { allows, isUnlimited: false };
}
