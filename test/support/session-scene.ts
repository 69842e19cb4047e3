import { DESK, Scene, type Screen, type withBrowser } from "./browser.ts";
import { SessionBoard } from "./sessions.ts";
import type { Tab, Visitor } from "./visitor.ts";

interface SessionSceneOptions {
  screen?: Screen;
  env?: Record<string, string>;
  /** The server is a process of its own, so that it can be killed. */
  isProcess?: boolean;
}

/** A board whose tasks run scripted agents, and someone who looks at it. */
export class SessionScene extends Scene {
  private constructor(
    readonly sessions: SessionBoard,
    visitor: Visitor,
    tab: Tab,
  ) {
    super(sessions.board, visitor, tab);
  }

  static async open(
    browser: ReturnType<typeof withBrowser>,
    { screen = DESK, env, isProcess = false }: SessionSceneOptions = {},
  ): Promise<SessionScene> {
    const sessions = await (isProcess ? SessionBoard.start(env) : SessionBoard.startHere(env));
    try {
      const visitor = await browser.stranger(sessions.server, screen);
      return new SessionScene(sessions, visitor, await visitor.signIn());
    } catch (error) {
      await sessions[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** An active task; what it runs is a shell script, and so is its title. */
  add = (name: string, script?: string, fields?: Record<string, unknown>) =>
    this.sessions.addTask(script, { title: `: ${name}`, ...fields });

  /** The same, started. */
  async start(name: string, script?: string, fields?: Record<string, unknown>) {
    const task = await this.add(name, script, fields);
    await this.sessions.act(task.id, "start");
    return task;
  }
}

/** Waits for an answer, then for the end. */
export const ASKING = 'echo "work is done"; printf "Go on? [y/N] "; read answer; exec sleep 1000';
