import { useLines } from "./glimpses.ts";

/** The last lines of a running session's screen. Its height never changes, and it rerenders on its own. */
export function Preview({ taskId, sessionId }: { taskId: string; sessionId: string | null }) {
  const lines = useLines(taskId, sessionId);
  const last = lines.length - 1;
  return (
    <div
      data-preview
      className="mt-2 flex h-12 flex-col justify-end overflow-hidden font-mono text-[11px] leading-4 text-faint contain-content"
    >
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place on the screen
        <p key={index} className={`truncate whitespace-pre ${index === last ? "text-muted" : ""}`}>
          {line}
        </p>
      ))}
    </div>
  );
}
