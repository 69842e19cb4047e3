// docs/compatibility.md, from all results.
import { CAPABILITIES, type Result, type VariantResults, type VersionResults } from "./results.ts";

const AGENTS: Record<VersionResults["agent"], string> = {
  claude: "Claude Code",
  codex: "Codex",
  opencode: "OpenCode",
  gemini: "Gemini CLI",
};

const MARKS: Record<Result["is"], string> = { right: "✔", wrong: "✘", unknown: "says so" };

export const renderPage = (all: VersionResults[]): string => `# Compatibility

\`bin/compat\` leads the real programs, offline and with a scripted model, through what people do with them, and compares
every state that the card goes through with what it should say, within two seconds of the terminal. It writes this page; a
test says when it is out of date.

- ✔ right: these states in this order, and no other
- ✘ wrong
- says so: the agent doesn't tell in this variant, and the card says that it doesn't know

## What a version tells of itself

${table(
  ["", ...CAPABILITIES],
  all.map((one) => [nameOf(one), ...CAPABILITIES.map((capability) => (has(one, capability) ? "✔" : "–"))]),
)}

## How often the card is right

${table(
  ["", "variant", "right", "says so", "wrong", "slowest"],
  all.flatMap((one) => one.variants.map((variant) => [nameOf(one), ...countsOf(variant)])),
)}
${all.map(renderVersion).join("")}`;

const nameOf = ({ agent, version }: VersionResults) => `${AGENTS[agent]} ${version}`;

const has = ({ variants }: VersionResults, capability: (typeof CAPABILITIES)[number]) =>
  variants.some(({ capabilities }) => capabilities.includes(capability));

function countsOf({ variant, results }: VariantResults): string[] {
  const count = (is: Result["is"]) => String(results.filter((one) => one.is === is).length);
  const slowest = Math.max(0, ...results.map(({ ms }) => ms ?? 0));
  return [variant, count("right"), count("unknown"), count("wrong"), `${(slowest / 1_000).toFixed(1)} s`];
}

function renderVersion(one: VersionResults): string {
  const scenarios = [
    ...new Set(one.variants.flatMap(({ results }) => results.map(({ scenario }) => scenario))),
  ];
  const rows = scenarios.map((scenario) => [
    scenario,
    ...one.variants.map(({ results }) => {
      const found = results.find((result) => result.scenario === scenario);
      return found === undefined ? "" : MARKS[found.is];
    }),
  ]);
  return `\n## ${nameOf(one)}\n\n${table(["", ...one.variants.map(({ variant }) => variant)], rows)}\n`;
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((_, i) => Math.max(3, ...[head, ...rows].map((row) => (row[i] ?? "").length)));
  const line = (row: string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
