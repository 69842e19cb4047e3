// A random walk with the real Claude Code: prompts are sent while it rests, works, asks, has a dialog open or is typed
// at, with Esc and kills of the server in between. Every text reaches the model exactly once and byte for byte, or the card
// says that it didn't, and none answers a dialog. BANTO_WALK_SEED=… walks the same way again.
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { QueuedPrompt } from "../../../src/contract.ts";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { preparePaste } from "../../../src/vt/paste.ts";
import { ClaudeBoard, type ClaudeRun, ESC } from "../../support/claude-board.ts";
import { DEPTH } from "../../support/depth.ts";
import { type MessagesRequest, type Reply, said } from "../../support/messages-api.ts";

const STEPS = Number(process.env.BANTO_WALK_STEPS ?? DEPTH.promptSteps);
setDefaultTimeout(STEPS * 20_000 + 120_000);

const TITLE = "Walk with me";
const PATIENCE_MS = 45_000;
const ERASE = "\x15\x7f".repeat(12);

/** What the model does with it. */
const OUTCOMES = ["answer", "answer", "answer", "permission", "question", "work"] as const;
type Outcome = (typeof OUTCOMES)[number];

type Step =
  | { do: "send"; text: string; outcome: Outcome; now: boolean }
  /** A person opens a dialog, or types something, and a prompt is sent so many milliseconds after that. */
  | { do: "dialog" | "draft"; text: string; after: number }
  | { do: "answer"; decision: "allow" | "deny" }
  | { do: "close" | "rest" | "take back" }
  | { do: "kill"; text: string; at: "prompt:typing" | "prompt:sent" | null };

/** The mark by which a text is found again; what is around it, dialogs and prompt boxes might take for something else. */
const MARK = "<mark>";
const around = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        "1 <mark>",
        "y<mark>",
        "2\n3\n<mark>",
        "# <mark>",
        "? <mark>",
        "<mark> and @README",
        "a\n\n\n<mark>\nb",
      ],
      ...["<mark>\\", "\t<mark>\tx", "<mark> “日本語” 👩‍👩‍👧 é", "[200~ <mark> \x1b[201~ more", "q<mark>"],
    ),
  },
  { weight: 3, arbitrary: fc.stringMatching(/^[a-zA-Z][ -~]{0,60}[a-z]$/).map((body) => `${body} <mark>`) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.stringMatching(/^[a-z]{1,12}( [a-z]{1,12}){0,4}$/), { minLength: 2, maxLength: 60 })
      .map((lines) => `${lines.join("\n")} <mark>`),
  },
);
const after = fc.constantFrom(0, 0, 20, 60, 120, 250, 500);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      ...{
        text: around,
        outcome: fc.constantFrom(...OUTCOMES),
        now: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
      },
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom("dialog" as const, "draft" as const), text: around, after }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("answer" as const),
      decision: fc.constantFrom("allow" as const, "deny" as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom("close", "close", "rest", "take back").map((what) => ({ do: what }) as Step),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("kill" as const),
      ...{ text: around, at: fc.constantFrom("prompt:typing" as const, "prompt:sent" as const, null) },
    }),
  },
);

interface Sent {
  text: string;
  outcome: Outcome;
  /** Sent without waiting for the end of the turn. */
  isNow: boolean;
  /** Esc was pressed right after it. */
  mayComeBack: boolean;
  /** Somebody has said that it may be done. */
  isAllowed: boolean;
  /** Taken back, or given up after it was not taken. */
  isGivenUp: boolean;
}

class Walk {
  private readonly sent: Sent[] = [];
  private readonly log: string[] = [];
  private lastSaid: string[] = [];
  private readonly models = new Set<string>();
  private failure: string | undefined;
  private draft = false;

  private constructor(
    private readonly board: ClaudeBoard,
    private run: ClaudeRun,
  ) {}

  static async begin(board: ClaudeBoard): Promise<Walk> {
    let walk: Walk | undefined;
    const run = await board.run(TITLE, (request) => walk?.reply(request) ?? "Here I am.");
    walk = new Walk(board, run);
    await run.is("finished");
    return walk;
  }

  private reply(request: MessagesRequest & { model?: string }): Reply {
    this.models.add(request.model ?? "");
    this.lastSaid = said(request);
    this.check();
    const last = request.messages.findLast(({ role }) => role === "user");
    const texts =
      typeof last?.content === "string" ? [last.content] : (last?.content ?? []).map(({ text = "" }) => text);
    const n = this.sent.findLastIndex((_, i) => texts.some((text) => text.includes(markOf(i))));
    const { outcome } = this.sent[n] ?? { outcome: "answer" };
    if (outcome === "permission")
      return { tool: "Bash", input: { command: `touch did-${n}`, description: "Do it" } };
    if (outcome === "question") {
      const options = ["Red", "Blue"].map((label) => ({ label, description: label }));
      const questions = [{ question: `Which one, ${n}?`, header: "One", multiSelect: false, options }];
      return { tool: "AskUserQuestion", input: { questions } };
    }
    if (outcome === "work") return { begin: `I am at ${n}\n\nwork` };
    return `Done with ${n}.`;
  }

  /** Nothing has arrived twice or in another shape. */
  private check() {
    this.sent.forEach(({ text }, n) => {
      const found = this.lastSaid.filter((one) => one.includes(markOf(n)));
      if (found.length > 1) this.fail(`${n} arrived ${found.length} times: ${JSON.stringify(found)}`);
      const [one] = found;
      // Claude Code says of a long one that it was pasted.
      const pasted = /^\s*<pasted_content id="[^"]+">\n([\s\S]*)\n<\/pasted_content id="[^"]+">\s*$/.exec(
        one ?? "",
      )?.[1];
      // What is sent while it works joins the turn, in words of Claude Code's own; or comes back with Esc, all in one.
      const isJoined = this.sent.some(({ isNow }, m) => isNow && one?.includes(markOf(m)));
      if (one !== undefined && one !== text && pasted !== text && !(isJoined && one.includes(text)))
        this.fail(`${n} arrived as ${JSON.stringify(one)} and was ${JSON.stringify(text)}`);
    });
    if (this.models.size > 1) this.fail(`the model was changed: ${[...this.models]}`);
  }

  private fail(what: string) {
    this.failure ??= what;
  }

  private requireWell() {
    const touched = this.sent.findIndex(
      ({ isAllowed }, n) => !isAllowed && existsSync(join(this.run.task.worktreePath ?? "", `did-${n}`)),
    );
    if (touched !== -1) this.fail(`${touched} was done, and nobody had allowed it`);
    if (this.failure !== undefined) throw new Error(this.failure);
  }

  private get server() {
    return this.board.server;
  }

  private task = () => this.board.sessions.task(this.run.id);
  private open = async () => ((await this.task()).prompts ?? []).filter(({ state }) => !isSent(state));
  private screen = () => this.run.screen();

  private text(around: string): string {
    return around.replace(MARK, markOf(this.sent.length));
  }

  private async send(around: string, outcome: Outcome = "answer"): Promise<QueuedPrompt | undefined> {
    const text = this.text(around);
    // What a terminal would get of it, with Claude Code's own idea of a tab.
    const arrives = preparePaste(text, false).replaceAll("\r", "\n").replaceAll("\t", "    ");
    this.sent.push({
      text: arrives,
      outcome,
      isNow: false,
      mayComeBack: false,
      isAllowed: false,
      isGivenUp: false,
    });
    const n = this.sent.length - 1;
    this.log.push(`  ${n} ${JSON.stringify(text)} ${outcome}`);
    const { status, body } = await this.server.post<TaskRow>(`/api/tasks/${this.run.id}/prompts`, { text });
    if (status === 202) return body.prompts?.findLast((one) => one.text === text);
    this.log.push(`  refused: ${JSON.stringify(body)}`);
    if (this.sent[n]) this.sent[n].isGivenUp = true;
    return undefined;
  }

  async take(step: Step): Promise<void> {
    this.log.push(JSON.stringify(step));
    if (step.do === "send") {
      const prompt = await this.send(step.text, step.outcome);
      const one = this.sent.at(-1);
      if (step.now && prompt !== undefined && one !== undefined) {
        one.isNow = true;
        await this.server.post(`/api/tasks/${this.run.id}/prompts/${prompt.id}/send`);
      }
    } else if (step.do === "dialog" || step.do === "draft") await this.byHand(step);
    else if (step.do === "answer") await this.answer(step.decision);
    else if (step.do === "close") await this.close();
    else if (step.do === "take back") await this.takeBack();
    else if (step.do === "kill") await this.kill(step);
    else await this.rest();
    this.requireWell();
  }

  /** A person is at the terminal, where nothing else is about to be typed. */
  private async byHand({ do: what, text, after }: Extract<Step, { after: number }>) {
    if ((await this.open()).length > 0 || this.draft || !(await this.isAtBox())) return;
    if (what === "dialog") await this.run.keys("/model\r");
    else {
      this.draft = true;
      await this.run.keys("half a thought");
    }
    await Bun.sleep(after);
    await this.send(text);
  }

  private isAtBox = async () => /^❯\s*$/m.test((await this.screen()).split(/^─{20,}$/m).at(-2) ?? "");

  private async answer(decision: "allow" | "deny") {
    const { asks } = await this.task();
    const n = Number(/did-(\d+)|, (\d+)\?/.exec(JSON.stringify(asks))?.slice(1).find(Boolean) ?? -1);
    const one = this.sent[n];
    if (asks === null || one === undefined) return;
    if (decision === "allow") one.isAllowed = true;
    const outcome = one.outcome;
    one.outcome = "answer";
    const answers =
      asks.questions === null ? {} : { answers: { [asks.questions[0]?.question ?? ""]: "Blue" } };
    const { status } = await this.run.answer({
      ask: asks.id,
      decision,
      ...(decision === "allow" && answers),
    });
    if (status !== 204) one.outcome = outcome;
  }

  /** Whatever a person can close in the terminal: a dialog, what they have typed, a turn. */
  private async close() {
    const screen = await this.screen();
    const working = /I am at (\d+)/.exec(screen.slice(screen.lastIndexOf("I am at")))?.[1];
    const { activity } = await this.task();
    if (/Select model/.test(screen)) await this.run.keys(ESC);
    else if (this.draft) await this.erase();
    else if (working !== undefined && activity?.kind === "working" && /esc to interrupt/.test(screen)) {
      const one = this.sent[Number(working)];
      if (one) one.outcome = "answer";
      // What it has begun with a moment ago, or not yet, may come back into its prompt box.
      const { prompts } = await this.task();
      for (const prompt of prompts ?? []) {
        const back = this.sent[this.numberOf(prompt)];
        if (back !== undefined && isSent(prompt.state)) back.mayComeBack = true;
      }
      await this.run.keys(ESC);
    } else return;
    await Bun.sleep(200);
  }

  private async erase() {
    await this.run.keys(ERASE);
    this.draft = false;
  }

  private async takeBack() {
    const [last] = (await this.open()).toReversed();
    if (last === undefined) return;
    const n = this.numberOf(last);
    const { status } = await this.server.delete(`/api/tasks/${this.run.id}/prompts/${last.id}`);
    const one = this.sent[n];
    if (status === 200 && one && last.state === "queued") one.isGivenUp = true;
    this.log.push(`  took back ${n}, which was ${last.state}: ${status}`);
  }

  private numberOf = ({ text }: QueuedPrompt) => this.sent.findIndex((_, n) => text.includes(markOf(n)));

  private async kill({ at, text }: Extract<Step, { do: "kill" }>) {
    const before = this.server.output.length;
    if (at !== null) await this.server.arm(at);
    const hasAnswered = await this.send(text).then(
      () => true,
      () => false, // killed before it could
    );
    const deadline = performance.now() + 3_000;
    const hasDied = () => this.server.output.slice(before).includes(`checkpoint ${at}\n`);
    while (at !== null && !hasDied() && performance.now() < deadline) await Bun.sleep(20);
    await this.server.kill("SIGKILL");
    await this.server.restart();
    this.run = await this.board.follow(this.run.id);
    const { prompts } = await this.run.until(({ activity }) => activity !== null, "what it does");
    const one = this.sent.at(-1);
    const isKept = prompts?.some((prompt) => this.numberOf(prompt) === this.sent.length - 1);
    if (!hasAnswered && !isKept && one !== undefined) one.isGivenUp = true;
  }

  /** Until everything has been taken, or is known not to have been. */
  async rest() {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const { prompts, activity, asks } = await this.task();
      const [first] = (prompts ?? []).filter(({ state }) => !isSent(state));
      if (this.failure !== undefined) return;
      if (asks !== null) await this.answer("allow");
      else if (first?.state === "refused" || first?.state === "unsure") await this.decide(first);
      else if (this.draft || activity?.kind === "question" || activity?.kind === "working")
        await this.close();
      else if (first?.state !== "typing" && (await this.hasComeBack(first))) await this.sendAgain(first);
      else if (first === undefined && activity?.held === undefined) return;
      if (performance.now() > deadline)
        return this.fail(
          `never came to rest: ${JSON.stringify({ activity, prompts })}\n${await this.screen()}`,
        );
      await Bun.sleep(50);
    }
  }

  /** Into the prompt box, with Esc, before Claude Code came to it. */
  private async hasComeBack(first: QueuedPrompt | undefined) {
    if (first !== undefined && !first.reason?.startsWith("Something is typed")) return false;
    const box = (await this.screen()).split(/^─{20,}$/m).at(-2) ?? "";
    return this.sent.some(({ mayComeBack, isNow }, n) => (mayComeBack || isNow) && box.includes(markOf(n)));
  }

  /** Pressed once: a second Enter might meet what banto types by then. */
  private async sendAgain(first: QueuedPrompt | undefined) {
    await this.run.keys("\r");
    const deadline = performance.now() + 5_000;
    while ((await this.hasComeBack(first)) && performance.now() < deadline) await Bun.sleep(20);
  }

  /** As a person does who has looked at the conversation. */
  private async decide(prompt: QueuedPrompt) {
    const n = this.numberOf(prompt);
    const one = this.sent[n];
    const has = this.lastSaid.some((text) => text.includes(markOf(n)));
    if (has && prompt.state === "refused") this.fail(`${n} was said not to have been taken, and was`);
    this.log.push(
      `  ${n} is ${prompt.state} (${prompt.reason}), ${has ? "and arrived" : "and did not arrive"}`,
    );
    if (one) one.isGivenUp = !has;
    await this.server.delete(`/api/tasks/${this.run.id}/prompts/${prompt.id}`);
  }

  async end() {
    await this.rest();
    // One more, to hear all that was said.
    await this.send("Is that all? <mark>");
    await this.rest();
    this.requireWell();
    const arrived = this.sent.map((_, n) => this.lastSaid.filter((text) => text.includes(markOf(n))).length);
    this.sent.forEach(({ isGivenUp }, n) => {
      if (arrived[n] !== (isGivenUp ? 0 : 1))
        this.fail(`${n} arrived ${arrived[n]} times, and was ${isGivenUp ? "not" : ""} to be sent`);
    });
    this.requireWell();
  }

  story = () => this.log.slice(-60).join("\n");

  [Symbol.asyncDispose] = () => this.run[Symbol.asyncDispose]();
}

const markOf = (n: number) => `(${n})`;
const isSent = (state: QueuedPrompt["state"]) => state === "accepted" || state === "typed";

test("every prompt arrives once as it was written, or is said not to have, and none answers a dialog", async () => {
  const seed = Number(process.env.BANTO_WALK_SEED ?? DEPTH.promptSeed ?? Math.floor(Math.random() * 2 ** 31));
  await using board = await ClaudeBoard.start();
  await using walk = await Walk.begin(board);
  try {
    for (const one of fc.sample(step, { seed, numRuns: STEPS })) await walk.take(one);
    await walk.end();
  } catch (error) {
    throw new Error(`BANTO_WALK_SEED=${seed} BANTO_WALK_STEPS=${STEPS}\n${walk.story()}`, { cause: error });
  }
  expect(STEPS).toBeGreaterThan(0);
});
