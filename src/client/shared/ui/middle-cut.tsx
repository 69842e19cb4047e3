/** Cuts long names, paths and branches in the middle, because their ends tell them apart. Hovering shows it all. */
export function MiddleCut({ text, className = "" }: { text: string; className?: string }) {
  const tail = Math.min(12, Math.floor(text.length / 2));
  return (
    <span title={text} className={`inline-flex min-w-0 ${className}`}>
      <span className="truncate">{text.slice(0, text.length - tail)}</span>
      <span className="shrink-0 whitespace-pre">{text.slice(text.length - tail)}</span>
    </span>
  );
}
