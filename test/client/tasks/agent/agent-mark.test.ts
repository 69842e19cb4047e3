import { expect, test } from "bun:test";
import { agentLetters, agentWord } from "../../../../src/client/tasks/agent/agent-mark.tsx";
import { AGENTS } from "../../../../src/contract.ts";

test("every agent has two letters of its own, and one of agents.toml the name it was given", () => {
  expect(new Set(AGENTS.map(agentLetters)).size).toBe(AGENTS.length);
  expect([agentLetters("opus-fast"), agentWord("opus-fast")]).toEqual(["Op", "opus-fast"]);
  expect(agentLetters("x")).toBe("X");
});
