import { Copy } from "lucide-react";
import { IconButton } from "./button.tsx";
import { showToast } from "./toast.tsx";

export function CopyButton({ text, label }: { text: string; label: string }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ title: "Copied", detail: text });
    } catch {
      // Browsers lend the clipboard to pages on this machine or behind TLS only.
      showToast({ title: "This browser doesn't allow copying here", detail: text, isError: true });
    }
  }
  return (
    <IconButton label={label} onClick={() => void copy()}>
      <Copy size={14} />
    </IconButton>
  );
}
