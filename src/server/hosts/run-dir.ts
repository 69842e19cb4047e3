// Where the session hosts keep their sockets and what they leave behind, one name per session.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SOCKET_PATH_BYTES } from "../../host/protocol/spec.ts";
import { DomainError } from "../errors.ts";
import { newId } from "../ids.ts";

export type RunDir = ReturnType<typeof createRunDir>;
export type RunFiles = ReturnType<RunDir["files"]>;

export function createRunDir(path: string) {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const files = (id: string) => {
    const base = join(path, id);
    return {
      socket: `${base}.sock`,
      /** The host's exit record. */
      record: `${base}.exit`,
      log: `${base}.log`,
      /** Taken by the one host that may run this session. */
      claim: `${base}.claim`,
      /** A folder for what agent and host tell each other. */
      signals: `${base}.signals`,
      /** What the terminal showed at the end, kept while the task still shows the session. */
      last: `${base}.last`,
      /** Whose shell it is; agents have none. */
      shell: `${base}.json`,
    };
  };
  const remove = (paths: string[]) => {
    for (const file of paths) rmSync(file, { force: true, recursive: true });
  };
  return {
    path,
    files,
    /** Refuses a data directory in which no socket could be made. */
    requireRoomForSocket() {
      const excess = Buffer.byteLength(files(newId()).socket) - SOCKET_PATH_BYTES;
      if (excess <= 0) return;
      throw new DomainError(
        "invalid",
        `The path of banto's data directory is ${excess} bytes too long for the sockets of its sessions; set BANTO_DATA_DIR to a shorter one.`,
      );
    },
    /** What a host is told of it. */
    hostPaths(id: string) {
      const { socket, record, log } = files(id);
      return { socketPath: socket, recordPath: record, logPath: log };
    },
    /**
     * Removes what a host that is gone left behind. What its terminal showed last stays, and so does
     * the claim: a host that was slow to start must still find it taken.
     */
    forgetHost(id: string) {
      const { socket, record, log, signals } = files(id);
      remove([socket, record, log, signals]);
    },
    forget: (id: string) => remove(Object.values(files(id))),
  };
}
