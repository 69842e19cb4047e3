// Where session hosts keep their sockets and what they leave behind, with one base name per session.
import { mkdirSync, rmSync, statSync } from "node:fs";
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
      /** Taken by the only host that may run this session. */
      claim: `${base}.claim`,
      /** A folder for what agent and host tell each other. */
      signals: `${base}.signals`,
      /** What the terminal showed at the end, kept while the task still shows the session. */
      last: `${base}.last`,
      /** For a task: what its programs left running. */
      left: `${base}.left`,
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
    /** When its host started, judging by its files. */
    claimedAt(id: string): string {
      const claimed = statSync(files(id).claim, { throwIfNoEntry: false });
      return (claimed?.mtime ?? new Date()).toISOString();
    },
    /** The paths that a host is told. */
    hostPaths(id: string) {
      const { socket, record, log } = files(id);
      return { socketPath: socket, recordPath: record, logPath: log };
    },
    /**
     * Removes what a host that is gone left behind. The terminal's last output stays, and so does the claim: a host
     * that is slow to start must still find it taken.
     */
    forgetHost(id: string) {
      const { socket, record, log, signals } = files(id);
      remove([socket, record, log, signals]);
    },
    forget: (id: string) => remove(Object.values(files(id))),
  };
}
