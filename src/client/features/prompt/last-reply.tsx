import { useLayoutEffect, useRef, useState } from "react";
import { Button } from "../../shared/ui/button.tsx";
import { ScrollBox } from "../../shared/ui/scroll-box.tsx";

/** Without blank lines, to save space. */
export const brief = (text: string) => text.replace(/\n\s*\n/g, "\n");

/** The beginning of what the agent said last, for a card. */
export function ReplyPreview({ text }: { text: string }) {
  return (
    <p data-reply className="mt-2 line-clamp-3 min-h-12 text-xs break-words whitespace-pre-line text-muted">
      {brief(text)}
    </p>
  );
}

/** The same for the panel: a few lines, or all of it on request. */
export function LastReply({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const [isCut, setIsCut] = useState(false);
  const box = useRef<HTMLParagraphElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text may need more room
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null) setIsCut(element.scrollHeight > element.clientHeight + 1);
  }, [text]);
  return (
    <div data-reply>
      {isWhole ? (
        <ScrollBox label="Last reply" className="max-h-[40dvh] text-sm break-words whitespace-pre-wrap">
          {text}
        </ScrollBox>
      ) : (
        <p ref={box} className="line-clamp-4 text-sm break-words whitespace-pre-wrap">
          {brief(text)}
        </p>
      )}
      {isCut && (
        <Button look="quiet" className="-ml-2" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? "Show less" : "Show all"}
        </Button>
      )}
    </div>
  );
}
