// compat [agent] [version|latest]: leads the real programs through every scenario in every variant, keeps what was
// heard for the readers' tests, and writes down what came out.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createAgents } from "../../../src/server/agents/agents.ts";
import { type Heard, runMatrix } from "../../../test/compat/matrix.ts";
import { renderPage } from "../../../test/compat/page.ts";
import { isSteady } from "../../../test/compat/replay.ts";
import { allResults, type Result, writeResults } from "../../../test/compat/results.ts";
import type { Matrix, Variant } from "../../../test/compat/scenario.ts";
import { CLAUDE } from "../../../test/compat/scenarios/claude/claude.ts";
import { CODEX } from "../../../test/compat/scenarios/codex.ts";
import { GEMINI_CLI } from "../../../test/compat/scenarios/gemini.ts";
import { OPEN_CODE } from "../../../test/compat/scenarios/opencode.ts";
import { type AgentName, latestVersion, PINNED, requireAgents } from "../agent-programs.ts";
import { requirePrograms } from "../programs.ts";
import { bundleServer } from "../test/bundle.ts";
import { ROOT } from "../test/items.ts";
import { enterOwnNetwork } from "../test/own-network.ts";
import { makeRunFolder } from "../test/run-folder.ts";

const MATRICES = { claude: CLAUDE, codex: CODEX, opencode: OPEN_CODE, gemini: GEMINI_CLI };
const NAMES = Object.keys(MATRICES) as AgentName[];

const USAGE = `usage: bin/compat [agent] [version|latest] [--variant NAME] [--only NAME]
  agent            ${NAMES.join(", ")}; without one, all of them
  version          such as ${PINNED.claude.at(-1)}, or latest for what npm has; without one, those that tests are pinned to
  --variant NAME   only variants with this in their name
  --only NAME      only scenarios with this in their name; nothing is written then`;

function fail(message: string, code: number): never {
  console.error(message);
  process.exit(code);
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        help: { type: "boolean" },
        variant: { type: "string" },
        only: { type: "string", multiple: true },
      },
      allowPositionals: true,
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const [agent, version, ...more] = positionals;
    if (more.length > 0) throw new Error(`too many arguments: ${more.join(" ")}`);
    if (agent !== undefined && !NAMES.includes(agent as AgentName))
      throw new Error(`unknown agent: ${agent}; there are ${NAMES.join(", ")}`);
    const { variant = "", only = [] } = values;
    return { agent: agent as AgentName | undefined, version, variant, only };
  } catch (error) {
    fail(`${(error as Error).message}\n${USAGE}`, 2);
  }
}

const { agent, version, variant: wantedVariant, only } = readArguments();

/** Found out before the network is left. */
async function versionsOf(name: AgentName): Promise<readonly string[]> {
  if (version === undefined) return PINNED[name];
  if (version !== "latest") return [version];
  const latest = await latestVersion(name);
  return [
    latest ?? fail(`could not ask npm for the latest ${name}; check the network and run this again`, 1),
  ];
}

const wanted: { name: AgentName; version: string }[] = [];
for (const name of agent === undefined ? NAMES : [agent])
  for (const one of await versionsOf(name)) wanted.push({ name, version: one });
if (!(await requirePrograms(["git", "ip", "unshare"])) || !(await requireAgents(wanted))) process.exit(1);
const resolved = process.argv
  .slice(1)
  .map((argument) => (argument === "latest" ? (wanted[0]?.version ?? "") : argument));
await enterOwnNetwork(resolved);

const folder = makeRunFolder();
process.on("exit", folder.remove);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
await bundleServer(join(folder.path, "bundle"));

const MARKS = { right: "✔", wrong: "✘", unknown: "?" } as const;
/** Of what a screen showed, only somebody who looks for a mistake wants to know. */
const isLooking = only.length > 0;
const tell = ({ scenario, is, ms, why }: Result) =>
  console.log(
    `  ${MARKS[is]} ${scenario}${ms === null ? "" : ` (${ms} ms)`}${why === undefined ? "" : `: ${isLooking ? why : why.split("\n")[0]}`}`,
  );

/** For whoever looks for the mistake. */
const WRONG = join(ROOT, ".tools/compat");
mkdirSync(WRONG, { recursive: true });
const keepIn = (name: string) => (scenario: string, heard: Heard) =>
  writeFileSync(join(WRONG, `${name} ${scenario}.json`.replaceAll(/[^\w.]+/g, "-")), JSON.stringify(heard));

const readers = createAgents({
  file: "/nonexistent",
  claudeExecutable: "claude",
  env: { HOME: "/nonexistent" },
});

let wrong = 0;
for (const { name, version } of wanted) {
  const matrix = MATRICES[name] as unknown as Matrix<unknown, Variant>;
  const variants = matrix.variants(version);
  for (const variant of variants.filter(({ label }) => label.includes(wantedVariant))) {
    console.log(`${name} ${version}, ${variant.label}`);
    const { results, takes } = await runMatrix(matrix, variant, {
      ...{ only, tell, keep: keepIn(`${name} ${version} ${variant.label}`) },
    });
    wrong += results.results.filter(({ is }) => is === "wrong").length;
    if (only.length > 0) continue;
    const known = variants.map(({ label }) => label);
    const kept = takes.filter((take) => isSteady((start) => readers.createReader(name, start), take));
    for (const take of takes.filter((one) => !kept.includes(one)))
      console.log(
        `  not kept for the reader, which is told the same in another order and says something else: ${take.name}`,
      );
    writeResults({ agent: name, version, variants: [results] }, kept, known);
    writeFileSync(join(ROOT, "docs/compatibility.md"), renderPage(allResults()));
  }
}
const { processes } = await folder.leftovers();
for (const one of processes) console.log(`left behind a process: ${one}`);
console.log(`\n${wrong} wrong${wrong > 0 ? `; what was heard of each is in ${WRONG}` : ""}`);
process.exit(wrong + processes.length === 0 ? 0 : 1);
