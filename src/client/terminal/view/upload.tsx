// What is shown while something is dragged onto the terminal, and while a file is being sent.
import { FileDown } from "lucide-react";
import { useStore } from "../../shared/stores/store.ts";
import { Button } from "../../shared/ui/button.tsx";
import type { Terminal } from "../terminal.ts";

export function DropTarget({ terminal }: { terminal: Terminal }) {
  const isDropTarget = useStore(terminal.status, (status) => status.isDropTarget);
  if (!isDropTarget) return null;
  return (
    <div
      data-drop-place
      className="pointer-events-none absolute inset-0 flex items-center justify-center bg-ground/70"
    >
      <div className="absolute inset-1 rounded-ui border-2 border-dashed border-accent" />
      <p className="flex items-center gap-2 rounded-ui bg-raised px-3 py-2 text-sm shadow-float">
        <FileDown size={16} aria-hidden className="text-accent" />
        Drop to type the file's path into this terminal
      </p>
    </div>
  );
}

export function UploadProgress({ terminal }: { terminal: Terminal }) {
  const upload = useStore(terminal.status, (status) => status.upload);
  if (upload === undefined) return null;
  const { name, number, count, share } = upload;
  const percent = Math.round(share * 100);
  return (
    <div className="terminal-soon absolute inset-x-0 bottom-0 flex items-center gap-3 border-t border-line bg-raised px-4 py-2 text-sm text-muted">
      <span role="status" className="min-w-0 truncate">
        Uploading {name}
        {count > 1 && ` (${number} of ${count})`}
      </span>
      <progress aria-label={`${name} on its way`} value={percent} max={100} className="terminal-progress" />
      <span className="w-9 text-right text-xs tabular-nums">{percent} %</span>
      <Button
        look="quiet"
        onClick={() => {
          terminal.input.uploads.cancel();
          terminal.focus();
        }}
      >
        Cancel
      </Button>
    </div>
  );
}
