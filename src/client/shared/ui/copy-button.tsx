import { Copy } from "lucide-react";
import { IconButton } from "./button.tsx";
import { showToast } from "./toast.tsx";

export async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ title: "Copied", detail: text });
  } catch {
    // Browsers offer the clipboard only on localhost and over TLS.
    showToast({ title: "This browser doesn't allow copying here", detail: text, isError: true });
  }
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  return (
    <IconButton label={label} onClick={() => void copyText(text)}>
      <Copy size={14} />
    </IconButton>
  );
}
