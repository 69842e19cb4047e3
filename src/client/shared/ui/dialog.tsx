import { X } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { IconButton } from "./button.tsx";

interface DialogProps {
  label: string;
  onClose(): void;
  children: ReactNode;
  /** Placed near the top, so that a list can grow and shrink without moving its input. */
  isPalette?: boolean;
}

/** The browser's own modal dialog: it traps the focus, restores it, and closes on Escape. */
export function Dialog({ label, onClose, children, isPalette = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  // A layout effect: its cleanup runs while the dialog is still in the document and can restore the focus.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    dialog.showModal(); // focuses the first control, which may be the one that closes it
    (dialog.querySelector<HTMLElement>("input, textarea") ?? dialog).focus();
    return () => dialog.close();
  }, []);
  const place = isPalette ? "mt-[12dvh] max-w-xl" : "my-auto max-w-lg";
  return (
    <dialog
      ref={ref}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === ref.current) onClose(); // the backdrop
      }}
      className={`enter mx-auto w-[calc(100vw-1.5rem)] overflow-hidden rounded-ui bg-raised text-text shadow-float outline-none ${place}`}
    >
      {children}
    </dialog>
  );
}

export function DialogHeader({ title, onClose }: { title: string; onClose(): void }) {
  return (
    <div className="flex items-center py-2 pr-2 pl-5">
      <h2 className="truncate font-medium">{title}</h2>
      <IconButton label="Close" className="ml-auto" onClick={onClose}>
        <X size={16} />
      </IconButton>
    </div>
  );
}
