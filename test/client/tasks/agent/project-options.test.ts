import { expect, test } from "bun:test";
import { optionsByAgent, withOptions } from "../../../../src/client/tasks/agent/project-options.ts";

const [CLAUDE, CODEX] = [{ model: "opus" }, { model: "gpt-6" }];

test("a project's own agent has its options first, whichever agent that is", () => {
  const of = { agent: null, agentOptions: CLAUDE, otherOptions: { codex: CODEX } };
  const options = optionsByAgent(of);
  expect(options).toEqual({ claude: CLAUDE, codex: CODEX });
  expect(withOptions(null, options)).toEqual(of);
  expect(withOptions("codex", options)).toEqual({
    agent: "codex",
    agentOptions: CODEX,
    otherOptions: { claude: CLAUDE },
  });
});

test("what was emptied is gone", () => {
  expect(withOptions("gemini", { claude: null, gemini: null })).toEqual({
    agent: "gemini",
    agentOptions: null,
    otherOptions: null,
  });
});
