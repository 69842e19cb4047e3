// The one use of Bun's terminal: a program with a controlling terminal of its own.
import { waitedForByBun } from "../processes/adopt.ts";
import type { Exit } from "../protocol/exit-record.ts";
import type { Size } from "../protocol/messages.ts";

export interface PtyOptions extends Size {
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  /** Bytes as they come; the memory is not used again by the terminal. */
  onOutput(chunk: Uint8Array): void;
  /** The program has read everything that was written to it. */
  onDrain(): void;
  /** Once, when the program has ended and its last byte has been delivered. */
  onEnd(exit: Exit): void;
}

export interface Pty {
  pid: number;
  write(bytes: Uint8Array): void;
  /** Bytes accepted that the program has not read yet, as far as is known. */
  pending(): number;
  resize(size: Size): void;
  close(): void;
}

/** A child of the program may hold the terminal open after it: the end does not wait for that one. */
const SILENCE_MS = 100;
const LAST_WORDS_MS = 2_000;

/** Bun collects less than this before it writes. */
const PAGE = 4_096;

export function startPty(options: PtyOptions): Pty {
  let pending = 0;
  let lastOutput = 0;
  let onEof = () => {};
  const eof = new Promise<void>((resolve) => {
    onEof = resolve;
  });
  // Inline options, not a Bun.Terminal made before: only this gives a controlling terminal.
  const child = Bun.spawn(options.argv, {
    cwd: options.cwd,
    env: options.env,
    terminal: {
      cols: options.cols,
      rows: options.rows,
      data(_terminal, chunk) {
        lastOutput = performance.now();
        options.onOutput(chunk);
      },
      drain() {
        pending = 0;
        options.onDrain();
      },
      // The terminal's end, not the program's: its code says nothing.
      exit: () => onEof(),
    },
  });
  waitedForByBun(child);
  const { terminal } = child;
  if (terminal === undefined) throw new Error("Bun started the program without a terminal");

  const silence = async () => {
    const deadline = performance.now() + LAST_WORDS_MS;
    lastOutput = performance.now();
    while (performance.now() < Math.min(deadline, lastOutput + SILENCE_MS)) {
      await Bun.sleep(SILENCE_MS / 4);
    }
  };
  const close = () => {
    if (!terminal.closed) terminal.close();
  };
  void child.exited.then(async () => {
    await Promise.race([eof, silence()]);
    close();
    const signal = child.signalCode === null ? null : String(child.signalCode);
    options.onEnd({ code: child.exitCode, signal });
  });

  return {
    pid: child.pid,
    write(bytes) {
      if (terminal.closed) return;
      // Accepts everything and keeps what the program does not read yet; the number it returns
      // must not be taken as a reason to send anything again.
      pending += bytes.length;
      // What is written at once, without waiting, is never told to be drained. A lone byte always waits.
      const end = bytes.length < PAGE ? bytes.length : bytes.length - 1;
      terminal.write(bytes.subarray(0, end));
      if (end < bytes.length) terminal.write(bytes.subarray(end));
    },
    pending: () => pending,
    resize(size) {
      if (!terminal.closed) terminal.resize(size.cols, size.rows);
    },
    close,
  };
}
