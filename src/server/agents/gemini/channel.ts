// Follows the file in which Gemini CLI writes down its conversation, and tells what that comes to.
import { type FSWatcher, statSync, watch } from "node:fs";
import type { OpenChannel } from "../channel.ts";
import { chatsFolder, newestChat, noTranscript, readFrom, withLine } from "./transcript.ts";

export const TRANSCRIPT = "transcript";

/** Until there is a folder to watch; and after that, for what a watch has missed. */
const LOOK_MS = 500;
const LOOK_AGAIN_MS = 5_000;
const NEWLINE = 0x0a;

export const createGeminiChannel =
  (home: string): OpenChannel =>
  ({ cwd }, tell) => {
    let watcher: FSWatcher | undefined;
    let timer: Timer | undefined;
    let isClosed = false;
    let path: string | undefined;
    let read = 0;
    let transcript = noTranscript;
    let told = "";

    function follow(folder: string) {
      const newest = newestChat(folder);
      if (newest === undefined) return;
      const size = statSync(newest, { throwIfNoEntry: false })?.size ?? 0;
      if (newest !== path || size < read) {
        path = newest;
        read = 0;
        transcript = noTranscript;
      }
      const bytes = readFrom(newest, read);
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
