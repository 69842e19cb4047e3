// Adopts what a session's processes leave behind when they end, which would otherwise become init's children. So it is
// found however it hides. Nobody else waits for these children, so this process has to reap them too.
import { dlopen, FFIType, ptr } from "bun:ffi";

/** glibc's, then musl's. */
const LIBRARIES = [
  "libc.so.6",
  `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`,
  "libc.so",
];

const PR_SET_CHILD_SUBREAPER = 36;
const [P_ALL, P_PID] = [0, 1];
const [WNOHANG, WEXITED, WNOWAIT] = [1, 4, 0x0100_0000];
/** The layout of siginfo_t on every 64-bit Linux. */
const [INFO_BYTES, INFO_PID] = [128, 16];
/** With a timer, because on old kernels Bun itself relies on SIGCHLD. */
const LOOK_MS = 5_000;

function openLibrary() {
  const { i32, i64, ptr } = FFIType;
  for (const name of LIBRARIES) {
    try {
      return dlopen(name, {
        prctl: { args: [i32, i64, i64, i64, i64], returns: i32 },
        waitid: { args: [i32, i32, ptr, i32], returns: i32 },
      }).symbols;
    } catch {
      // the next one
    }
  }
  return undefined;
}

/** Children that Bun started, and waits for itself. */
const ours = new Set<number>();

export function waitedForByBun(child: { pid: number; exited: Promise<unknown> }): void {
  ours.add(child.pid);
  void child.exited.finally(() => ours.delete(child.pid));
}

/** False if the system can't. Then a process that left the terminal and cleared its environment isn't found. */
export function adoptOrphans(): boolean {
  const library = openLibrary();
  if (library?.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) !== 0) return false;
  const info = new DataView(new ArrayBuffer(INFO_BYTES));
  const bury = () => {
    for (;;) {
      info.setInt32(INFO_PID, 0, true);
      // Only peeks, because Bun must still be able to wait for its own children.
      if (library.waitid(P_ALL, 0, ptr(info), WEXITED | WNOHANG | WNOWAIT) !== 0) return;
      const pid = info.getInt32(INFO_PID, true);
      if (pid === 0 || ours.has(pid)) return;
      library.waitid(P_PID, pid, ptr(info), WEXITED | WNOHANG);
    }
  };
  setInterval(bury, LOOK_MS).unref();
  return true;
}
