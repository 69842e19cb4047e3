import { TERMINAL_PROTOCOL } from "../../contract.ts";
import type { AskTrail } from "../audit/ask-trail.ts";
import { DomainError } from "../errors.ts";
import { answers, repeatable } from "../http/documentation.ts";
import type { Door } from "../http/door.ts";
import { IdParams, noContent, resource } from "../http/resource.ts";
import {
  AgentInputSchema,
  AttachQuery,
  InputSchema,
  ResizeSchema,
  ShellParams,
} from "../http/terminal-schemas.ts";
import { chooseProtocol, upgrade } from "../http/web-socket.ts";
import type { Runner } from "../sessions/runner.ts";
import type { Shells } from "../sessions/shells/shells.ts";
import type { TerminalFinder } from "../sessions/viewers/find-terminal.ts";
import { promptGuard } from "../sessions/viewers/prompt-guard.ts";
import type { TaskView, TerminalSockets } from "../sessions/viewers/sockets.ts";
import type { Terminals } from "../sessions/viewers/terminals.ts";
import type { Tasks } from "../tasks/tasks.ts";

interface TerminalParts {
  tasks: Pick<Tasks, "get">;
  runner: Pick<Runner, "reading" | "box" | "prompter">;
  finder: TerminalFinder;
  shells: Shells;
  terminals: Terminals;
  sockets: TerminalSockets;
  trail: Pick<AskTrail, "typed">;
  door: Door;
}

const socket = {
  query: AttachQuery,
  detail: { description: `A WebSocket: a plain pipe, or ${TERMINAL_PROTOCOL}`, ...answers(101) },
};
const screen = { detail: answers(200) };
const resize = { body: ResizeSchema, detail: { ...answers(204), ...repeatable } };

export const terminalRoutes = (parts: TerminalParts) => {
  const { tasks, runner, finder, shells, terminals, sockets, trail, door } = parts;
  const watch = (
    { request, server, query }: { request: Request; server: unknown; query: typeof AttachQuery.static },
    target: Pick<TaskView, "find" | "taskId" | "typed">,
  ) => {
    const { cols, rows, from, snapshot } = query;
    if ((cols === undefined) !== (rows === undefined)) {
      throw new DomainError("invalid", "cols and rows: give both or neither.");
    }
    const protocol = chooseProtocol(request, TERMINAL_PROTOCOL);
    const attach = {
      ...(from !== undefined && { from }),
      ...(snapshot !== undefined && { snapshot }),
      ...(cols !== undefined && rows !== undefined && { cols, rows }),
    };
    const isWelcome = door.admission(request);
    const view = { ...target, attach, isWelcome, isControlled: protocol !== undefined };
    upgrade(request, server, protocol, sockets.create(view));
  };

  async function sendPrompt(id: string, text: string): Promise<void> {
    const guard = promptGuard(parts, id);
    const hand = runner.prompter(tasks.get(id).sessionId ?? "", text);
    if (hand === undefined) await terminals.prompt(finder.require(id), text, guard);
    else {
      guard.check();
      await hand(text);
    }
  }

  return resource("/api/tasks")
    .get(
      "/:id/terminal",
      (context) => {
        const { id } = context.params;
        const who = door.actorOf(context.request);
        const typed = (sessionId: string) => trail.typed(id, runner.reading(sessionId)?.asks, who);
        return watch(context, { taskId: id, find: () => finder.find(id), typed });
      },
      { params: IdParams, ...socket },
    )
    .get("/:id/terminal/screen", ({ params }) => terminals.screen(finder.require(params.id)), {
      params: IdParams,
      ...screen,
    })
    .post(
      "/:id/terminal/resize",
      ({ params, body }) => terminals.resize(finder.require(params.id), body).then(noContent),
      { params: IdParams, ...resize },
    )
    .post(
      "/:id/terminal/input",
      async ({ params: { id }, body: { prompt = false, ...typing }, request }) => {
        const { text, submit = false } = typing;
        if (prompt && submit) await sendPrompt(id, text);
        else {
          if (prompt) promptGuard(parts, id).check();
          const address = finder.require(id);
          trail.typed(id, runner.reading(address.sessionId)?.asks, door.actorOf(request));
          await terminals.type(address, typing);
        }
        return noContent();
      },
      { params: IdParams, body: AgentInputSchema, detail: answers(204) },
    )
    .get(
      "/:id/shells/:shell/terminal",
      (context) => {
        const { id, shell } = context.params;
        return watch(context, { find: () => shells.find(id, shell) });
      },
      { params: ShellParams, ...socket },
    )
    .get(
      "/:id/shells/:shell/terminal/screen",
      ({ params }) => terminals.screen(shells.find(params.id, params.shell)),
      { params: ShellParams, ...screen },
    )
    .post(
      "/:id/shells/:shell/terminal/resize",
      ({ params, body }) => terminals.resize(shells.find(params.id, params.shell), body).then(noContent),
      { params: ShellParams, ...resize },
    )
    .post(
      "/:id/shells/:shell/terminal/input",
      ({ params, body }) => terminals.type(shells.find(params.id, params.shell), body).then(noContent),
      { params: ShellParams, body: InputSchema, detail: answers(204) },
    );
};
