// Whether anybody but the session itself runs Gemini CLI in its worktree: a person in a shell, or the agent by a command.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { isBelow } from "../../hosts/process-tree.ts";

const RUNTIMES = ["node", "bun", "gemini"];
/** Gemini tells the commands it runs. */
const BY_ITSELF = "GEMINI_CLI=1";

/** `pid`: the session's program. False where the system can't tell. */
export function isSharedWorktree(cwd: string, pid: number): boolean {
  return pids().some((one) => isGemini(one, cwd) && (!isBelow(pid, one) || isRunByAgent(one)));
}

function pids(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function isGemini(pid: number, cwd: string): boolean {
  const [program = "", ...rest] = words(pid, "cmdline")
    .slice(0, 4)
    .map((word) => basename(word));
  if (!RUNTIMES.includes(program)) return false;
  return [program, ...rest].some((word) => /^gemini(\.js)?$/.test(word)) && folderOf(pid) === cwd;
}

const isRunByAgent = (pid: number) => words(pid, "environ").includes(BY_ITSELF);

function words(pid: number, file: "cmdline" | "environ"): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0");
  } catch {
    return []; // it has ended, or is another person's
  }
}

function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
