import { expect, test } from "bun:test";
import type { SessionChange } from "../../../src/client/tasks/change.ts";
import { nextStep } from "../../../src/client/tasks/next-step.ts";
import { ERROR_STATUS, type ErrorCode } from "../../../src/contract.ts";
import { task } from "../support/task.ts";

const card = task("card", { agent: "claude" });
const agents = [{ name: "claude", available: true, canResume: true }];
const known = { agents, baseBranch: "main" };
const asked = (action: SessionChange["action"]) => ({ kind: "session", action, task: card }) as const;

test("a start that was refused has a next step, whatever the reason, and when the server can't be reached", () => {
  const codes = Object.keys(ERROR_STATUS) as ErrorCode[];
  for (const action of ["start", "resume", "retry"] as const) {
    const steps = [...codes, undefined].map((code) => nextStep(asked(action), code, known));
    expect(new Set(steps)).toEqual(new Set(["try-again", "forget", "unlock"]));
  }
  expect(nextStep(asked("complete"), "conflict", known)).toBe("try-again");
  expect(nextStep(asked("stop"), "conflict", known)).toBeUndefined();
  expect(nextStep({ kind: "update", id: "card", patch: {} }, "internal", known)).toBeUndefined();
});

test("the step is what cures it: another agent, a first commit, a fresh start, a lock or a worktree let go", () => {
  const missing = { name: "claude", available: false, canResume: true };
  expect(nextStep(asked("start"), "invalid", { ...known, agents: [missing] })).toBe("choose-agent");
  expect(nextStep(asked("start"), "invalid", { ...known, agents: [] })).toBe("choose-agent");
  expect(nextStep(asked("start"), "invalid", { ...known, agents: undefined })).toBe("try-again");
  expect(nextStep(asked("start"), "invalid", { ...known, baseBranch: null })).toBe("first-commit");
  const forgetful = [{ name: "claude", available: true, canResume: false }];
  expect(nextStep(asked("resume"), "invalid", { ...known, agents: forgetful })).toBe("retry");
  expect(nextStep({ kind: "remove", task: card }, "worktree_missing", known)).toBe("forget");
  expect(nextStep(asked("resume"), "worktree_locked", known)).toBe("unlock");
});
