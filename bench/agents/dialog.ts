// From Claude Code's dialog on the wire of its terminal to the task's event that says so.
import { ClaudeBoard } from "../../test/support/claude-board.ts";
import { median, quantile, type Row } from "../row.ts";

const ASKS = 15;
const QUESTION = "proceed?";

export async function measureDialog(): Promise<Row[]> {
  await using board = await ClaudeBoard.start();
  const replies = Array.from({ length: ASKS }, (_, i) => ({
    tool: "Bash",
    input: { command: `touch file-${i}`, description: "Make a file" },
  }));
  await using run = await board.run("Ask again and again", [...replies, "Asked."]);
  const delays: number[] = [];
  for (let i = 0; i < ASKS; i += 1) {
    const shown = run.terminal
      .when((viewer) => viewer.text().split(QUESTION).length > i + 1, "the dialog")
      .then(() => performance.now());
    const told = run
      .until(({ asks }) => asks?.summary === `touch file-${i}`, `file-${i}`)
      .then(() => performance.now());
    const [seen, heard] = await Promise.all([shown, told]);
    delays.push(heard - seen);
    await run.answer({ decision: "allow" });
  }
  return [
    {
      name: "dialog in the terminal to the task's event, median",
      value: median(delays),
      unit: "ms",
      target: "≤ 300 ms",
    },
    { name: "dialog in the terminal to the task's event, p95", value: quantile(delays, 0.95), unit: "ms" },
  ];
}
