import { X } from "lucide-react";
import { useEffect } from "react";
import { ApiError, NetworkError } from "../api/client.ts";
import { createStore, useStore } from "../stores/store.ts";
import { Button, IconButton } from "./button.tsx";

export interface ToastAction {
  label: string;
  run(): void;
}

interface Toast {
  id: number;
  title: string;
  detail?: string;
  isError?: boolean;
  action?: ToastAction;
}

const SHOWN_MS = 8_000;
const MOST = 3;

const toasts = createStore<Toast[]>([]);
let count = 0;

/** Returns how to take it away again. */
export function showToast(toast: Omit<Toast, "id">): () => void {
  count += 1;
  const id = count;
  toasts.set((current) => [...current.slice(-(MOST - 1)), { ...toast, id }]);
  return () => dismiss(id);
}

/** What failed, why, and a retry where that may help. A signed-out page says so itself. */
export function showError(title: string, error: Error, retry: () => void) {
  const code = error instanceof ApiError ? error.code : null;
  if (code === "unauthenticated") return;
  const isPassing = error instanceof NetworkError || code === "internal" || code === "no_space";
  showToast({
    title,
    detail: error.message,
    isError: true,
    ...(isPassing && { action: { label: "Retry", run: retry } }),
  });
}

/** Runs it, and shows the error when it fails. A retry is about the same `change`. */
export async function attempt(
  title: string,
  run: (change: object) => Promise<void>,
  change = {},
): Promise<void> {
  await run(change).catch((error: Error) => showError(title, error, () => void attempt(title, run, change)));
}

const dismiss = (id: number) => toasts.set((current) => current.filter((toast) => toast.id !== id));

const lastUndo = () => toasts.get().findLast(({ action }) => action?.label === "Undo");

export const canUndo = () => lastUndo() !== undefined;

/** Takes back the newest thing that can be. */
export function undo() {
  const last = lastUndo();
  if (last?.action === undefined) return;
  last.action.run();
  dismiss(last.id);
}

export function Toasts() {
  const shown = useStore(toasts);
  return (
    <section
      aria-label="Notifications"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-3 bottom-[calc(env(safe-area-inset-bottom)+4.5rem)] z-50 flex flex-col items-center gap-2 sm:bottom-5"
    >
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const { id, title, detail, action, isError } = toast;
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <div className="enter pointer-events-auto flex w-full max-w-md items-center gap-3 rounded-ui bg-card py-2 pr-2 pl-4 shadow-float">
      <div className="min-w-0 flex-1">
        <p className={isError ? "font-medium text-failed" : "font-medium"}>{title}</p>
        {detail && (
          <p className={`text-sm break-words text-muted ${isError ? "line-clamp-6" : "line-clamp-2"}`}>
            {detail}
          </p>
        )}
      </div>
      {action && (
        <Button
          onClick={() => {
            action.run();
            dismiss(id);
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label="Dismiss" onClick={() => dismiss(id)}>
        <X size={16} />
      </IconButton>
    </div>
  );
}
