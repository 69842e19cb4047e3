// Why a turn of Claude Code fails.
import type { Reply } from "../../../support/messages-api.ts";
import type { Expected } from "../../scenario.ts";
import { type ClaudeScenario, type ClaudeVariant, on, tellsItsTerminal } from "./variants.ts";

/** With neither hooks nor words for its terminal, an end is all that can be seen. */
function failed(kind: "trouble" | "limited", reason: RegExp) {
  return (variant: ClaudeVariant): Expected => {
    if (variant.hasHooks) return { states: ["working", kind], reason };
    if (!tellsItsTerminal(variant)) return { states: ["working", "finished"], isUnknown: true };
    // It says that it failed, in its own words, but not of which kind that is.
    return { states: ["working", "trouble"], isUnknown: kind === "limited" };
  };
}

interface Failure {
  name: string;
  status: number;
  error: string;
  message: string;
  reason: RegExp;
  kind?: "limited";
}

const FAILURES: Failure[] = [
  {
    ...{ name: "429, a rate limit of the API", status: 429, error: "rate_limit_error" },
    ...{ message: "This request would exceed your rate limit.", reason: /rate limit/, kind: "limited" },
  },
  {
    ...{ name: "401, a key that isn't accepted", status: 401, error: "authentication_error" },
    ...{ message: "invalid x-api-key", reason: /not logged in.*\/login/ },
  },
  {
    ...{ name: "403, not allowed", status: 403, error: "permission_error" },
    ...{ message: "Your account does not have permission.", reason: /./ },
  },
  {
    ...{ name: "no credit", status: 400, error: "invalid_request_error" },
    ...{ message: "Your credit balance is too low to access the API.", reason: /no credit left/ },
  },
  {
    ...{ name: "404, an unknown model", status: 404, error: "not_found_error" },
    ...{ message: "model: claude-none", reason: /model/ },
  },
  {
    ...{ name: "413, a request that is too large", status: 413, error: "request_too_large" },
    ...{ message: "Request exceeds the maximum size", reason: /./ },
  },
  {
    ...{ name: "400, a request that is refused", status: 400, error: "invalid_request_error" },
    ...{ message: "messages: something is wrong", reason: /./ },
  },
  {
    ...{ name: "500, the API fails", status: 500, error: "api_error" },
    ...{ message: "Internal server error", reason: /servers failed/ },
  },
];

const turn = ({
  name,
  status,
  error,
  message,
  reason,
  kind = "trouble" as never,
}: Failure): ClaudeScenario => ({
  name,
  // It may try again in another way.
  replies: Array.from({ length: 12 }, () => ({ status, error, message })),
  act: (talk) =>
    talk.run.until(({ activity }) => talk.steps.length > 1 && activity?.kind !== "working", "an end"),
  expect: failed(kind, reason),
});

/** It tries again a few times, and says the same each time. */
const overloaded: Reply = { status: 529, error: "overloaded_error", message: "Overloaded" };

const reset = Math.ceil(Date.now() / 3_600_000) * 3_600 + 3_600;
const LIMIT: Reply = {
  ...{ status: 429, error: "rate_limit_error", message: "Too much." },
  headers: {
    "anthropic-ratelimit-unified-status": "rejected",
    "anthropic-ratelimit-unified-representative-claim": "five_hour",
    "anthropic-ratelimit-unified-reset": String(reset),
    "anthropic-ratelimit-unified-5h-utilization": "1.0",
    "anthropic-ratelimit-unified-5h-reset": String(reset),
  },
};

const atRest = (talk: Parameters<ClaudeScenario["act"]>[0]) =>
  talk.run.until(
    ({ activity }) => talk.steps.length > 1 && activity != null && activity.kind !== "working",
    "an end",
  );

export const FAILED: ClaudeScenario[] = [
  ...FAILURES.map(turn),
  {
    name: "529, the API is overloaded",
    replies: [overloaded, overloaded, overloaded, overloaded],
    act: atRest,
    expect: failed("trouble", /servers/),
  },
  {
    name: "a prompt that is too long, and compacting helps",
    replies: [
      {
        ...{ status: 400, error: "invalid_request_error" },
        message: "prompt is too long: 250000 tokens > 200000 maximum",
      },
      "A summary of it.",
      "Now it fits.",
    ],
    act: atRest,
    expect: () => ({ states: ["working", "finished"] }),
  },
  {
    name: "429, the limit of a subscription",
    replies: [LIMIT],
    own: on({ env: { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-made-up-for-a-test" } }),
    act: atRest,
    expect: failed("limited", /limit/),
  },
  {
    name: "nobody is logged in",
    own: on({ env: { ANTHROPIC_API_KEY: "" } }),
    act: atRest,
    expect: failed("trouble", /not logged in/),
  },
  {
    name: "no connection, while it tries again",
    own: on({ env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } }),
    act: (talk) => talk.run.sees(/[Rr]etrying|attempt \d/),
    expect: () => ({ states: ["working"] }),
  },
];
