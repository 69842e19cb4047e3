// Follows the file in which Gemini CLI writes down its conversation, and tells what that comes to. The folder is the
// worktree's: whoever else runs Gemini there writes into it, too.
import { type FSWatcher, statSync, watch } from "node:fs";
import type { OpenChannel } from "../channel.ts";
import { isSharedWorktree } from "./strangers.ts";
import { chatsFolder, chatsIn, noTranscript, ownChat, readFrom, withLine } from "./transcript.ts";

export const TRANSCRIPT = "transcript";

/** Until there is a folder to watch; and after that, for what a watch has missed. */
const LOOK_MS = 500;
const LOOK_AGAIN_MS = 5_000;
const NEWLINE = 0x0a;

export const createGeminiChannel =
  (home: string): OpenChannel =>
  ({ cwd, agentSessionId, pid }, tell) => {
    let watcher: FSWatcher | undefined;
    let timer: Timer | undefined;
    let isClosed = false;
    let path: string | undefined;
    let read = 0;
    let transcript = noTranscript;
    let told = "";
    /** How long each file was; undefined before the first look, which finds those of earlier sessions. */
    let sizes: Map<string, number> | undefined;

    /** The session's own, or whichever it has begun or gone back to since, unless that may be somebody else's. */
    function choose(folder: string): string | undefined {
      const own = path ?? ownChat(folder, agentSessionId);
      const chats = chatsIn(folder);
      const [newest] = chats;
      const isChanged = newest !== undefined && sizes !== undefined && sizes.get(newest.path) !== newest.size;
      const moves = isChanged && newest.path !== own && !isSharedWorktree(cwd, pid);
      sizes = new Map(chats.map((chat) => [chat.path, chat.size]));
      return moves ? newest.path : own;
    }

    function follow(folder: string) {
      const chosen = choose(folder);
      if (chosen === undefined) return;
      const size = statSync(chosen, { throwIfNoEntry: false })?.size ?? 0;
      if (chosen !== path || size < read) {
        path = chosen;
        read = 0;
        transcript = noTranscript;
      }
      const bytes = readFrom(chosen, read);
      const whole = bytes.lastIndexOf(NEWLINE) + 1;
      read += whole;
      transcript = bytes.subarray(0, whole).toString().split("\n").reduce(withLine, transcript);
      const text = JSON.stringify(transcript);
      if (text === told) return;
      told = text;
      tell({ source: TRANSCRIPT, body: transcript });
    }

    function look() {
      if (isClosed) return;
      clearTimeout(timer);
      const folder = chatsFolder(home, cwd);
      if (folder === undefined) sizes = new Map();
      try {
        if (folder !== undefined) follow(folder);
        if (folder !== undefined) watcher ??= watch(folder, look).on("error", () => {});
      } catch {
        // not there yet, or just being replaced: the next look gets it
      }
      timer = setTimeout(look, watcher === undefined ? LOOK_MS : LOOK_AGAIN_MS);
      timer.unref();
    }

    look();
    return {
      close() {
        isClosed = true;
        clearTimeout(timer);
        watcher?.close();
      },
    };
  };
