// Listens to a session beside its server, in the same way: with the server's own parts, which look at its screen when
// their reader wants to. What they hear is kept.
import { join } from "node:path";
import { createAgents } from "../../src/server/agents/agents.ts";
import type { Observation, Reader, ReaderStart } from "../../src/server/agents/reading.ts";
import { createRunDir } from "../../src/server/hosts/run-dir.ts";
import { createChannels } from "../../src/server/sessions/observe/channels.ts";
import { createReadings } from "../../src/server/sessions/observe/readings.ts";
import { createSessionWatch } from "../../src/server/sessions/observe/session-watch.ts";
import type { TaskRun } from "../support/task-run.ts";
import { TestViewer } from "../support/viewer.ts";

/** Enough for a pattern that was cut in two. */
const TAIL = 20_000;
interface Shown {
  pattern: RegExp;
  at?: number;
}

export class Recorder implements Disposable {
  readonly heard: Observation[] = [];
  start: ReaderStart = { prompted: true, note: null, at: Date.now() };
  reader: Reader | undefined;
  /** Some reading could tell that prompts are taken, or that something could be answered from the card. */
  tellsOfPrompts = false;
  takesAnswers = false;
  #printed = "";
  #shown: Shown | undefined;
  #viewer: TestViewer | undefined;
  #close = () => {};

  private constructor(private readonly run: TaskRun) {}

  /** `shown`: what is looked for from the beginning. */
  static async follow(agent: string, run: TaskRun, shown?: RegExp): Promise<Recorder> {
    const recorder = new Recorder(run);
    if (shown !== undefined) recorder.lookFor(shown);
    const { sessionId } = await run.until((task) => task.sessionId !== null, "a session");
    await run.until(
      ({ sessionStatus }) => sessionStatus !== "pending" && sessionStatus !== "provisioning",
      "its host",
    );
    recorder.#begin(agent, { taskId: run.id, sessionId: sessionId ?? "" });
    recorder.#viewer = TestViewer.open(run.board.server, run.id, {
      onBytes: (bytes) => recorder.#print(bytes),
    });
    return recorder;
  }

  /** From now on. */
  lookFor(pattern: RegExp): void {
    this.#printed = "";
    // Blanks may be drawn by moving the cursor, in many ways.
    this.#shown = { pattern: new RegExp(pattern.source.replaceAll(" ", "\\s*"), pattern.flags) };
  }

  #print(bytes: Uint8Array) {
    const text = Buffer.from(bytes).toString();
    this.#printed = (this.#printed + text).slice(-TAIL);
    if (this.#shown === undefined || this.#shown.at !== undefined) return;
    const plain = Bun.stripANSI(this.#printed);
    if (!this.#shown.pattern.test(plain)) return;
    this.#shown.at = performance.now();
  }

  /** When the terminal first showed what is looked for. */
  get shownAt(): number | undefined {
    return this.#shown?.at;
  }

  #begin(agent: string, session: { taskId: string; sessionId: string }) {
    const { run } = this;
    const { server } = run.board;
    const agents = createAgents({
      file: join(server.dataDir, "agents.toml"),
      claudeExecutable: "claude",
      env: { HOME: server.home },
    });
    const runDir = createRunDir(join(server.dataDir, "run"));
    const rows = { find: () => run.task, project: () => ({ agentOptions: null }), report: () => {} } as never;
    const createReader = (name: string, start: ReaderStart) =>
      this.#listening(agents.createReader(name, start));
    const failed = () => {};
    const readings = createReadings({
      ...{
        agents: { createReader },
        rows,
        failed,
        release: () => {},
        press: () => {},
        read: () => {},
        over: () => {},
      },
      events: { tell: () => {} } as never,
      look: (sessionId) => watch.look(sessionId),
    });
    const channels = createChannels({
      ...{ agents, rows, runDir, failed },
      told: (ids, note) => readings.observe(ids, { type: "note", ...note, at: Date.now() }),
    });
    const watch = createSessionWatch({
      runDir,
      connected: channels.open,
      observed: readings.observe,
      caughtUp: readings.caughtUp,
      ...{ glimpse: () => {}, bell: () => {}, troubled: () => {}, failed },
      ended: ({ sessionId }) => readings.stop(sessionId),
    });
    readings.begin(session, agent, this.start);
    void watch.open(session);
    this.#close = () => {
      watch.dispose();
      channels.dispose();
      readings.dispose();
    };
  }

  /** What is released is released again by whoever hears it. */
  #listening(reader: Reader): Reader {
    this.reader = reader;
    return {
      ...reader,
      observe: (observation) => {
        if (observation.type !== "over" || observation.how !== "released") this.heard.push(observation);
        reader.observe(observation);
      },
      read: (now) => {
        const reading = reader.read(now);
        this.tellsOfPrompts ||= reading.accepted !== null;
        this.takesAnswers ||= reading.asks?.canAnswer === true;
        return reading;
      },
    };
  }

  [Symbol.dispose]() {
    this.#close();
    this.#viewer?.[Symbol.dispose]();
  }
}
