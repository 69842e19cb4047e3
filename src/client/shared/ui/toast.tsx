import { X } from "lucide-react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { ApiError, isSignOut, NetworkError } from "../api/client.ts";
import { createStore, useStore } from "../stores/store.ts";
import { pushUndo } from "../stores/undo.ts";
import { Button, IconButton } from "./button.tsx";

interface ToastAction {
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

/** Returns a function that removes it. */
export function showToast(toast: Omit<Toast, "id">): () => void {
  count += 1;
  const id = count;
  toasts.set((current) => [...current.slice(-(MOST - 1)), { ...toast, id }]);
  return () => dismiss(id);
}

/** Says what failed and why, and offers a retry where that may help. A signed-out page says so itself. */
export function showError(title: string, error: Error, retry: () => void) {
  if (isSignOut(error)) return;
  const code = error instanceof ApiError ? error.code : null;
  const isPassing = error instanceof NetworkError || code === "internal" || code === "no_space";
  showToast({
    title,
    detail: error.message,
    isError: true,
    ...(isPassing && { action: { label: "Retry", run: retry } }),
  });
}

/** Runs it and shows the error if it fails. A retry is the same `change`, so the server makes it only once. */
export async function attempt(
  title: string,
  run: (change: object) => Promise<void>,
  change = {},
): Promise<void> {
  await run(change).catch((error: Error) => showError(title, error, () => void attempt(title, run, change)));
}

const dismiss = (id: number) => toasts.set((current) => current.filter((toast) => toast.id !== id));

/**
 * For something that can be undone: with the toast's button, and with Ctrl Z long after. Returns a function that
 * withdraws the offer.
 */
export function showUndoable(toast: Pick<Toast, "title" | "detail">, takeBack: () => void): () => void {
  const step = pushUndo(() => {
    close();
    takeBack();
  });
  const run = () => {
    step.forget();
    takeBack();
  };
  const close = showToast({ ...toast, action: { label: "Undo", run } });
  return () => {
    step.forget();
    close();
  };
}

/** They cover nothing: what is shown makes room. A terminal is told how much, because its size must not change. */
export function Toasts() {
  const shown = useStore(toasts);
  const section = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: they have another height then
  useLayoutEffect(() => {
    const { current } = section;
    current?.parentElement?.style.setProperty("--toasts", `${current.offsetHeight}px`);
  }, [shown]);
  return (
    <section
      ref={section}
      aria-label="Notifications"
      aria-live="polite"
      className="pointer-events-none shrink-0"
    >
      {shown.length > 0 && (
        <div className="flex flex-col items-center gap-2 px-3 py-2">
          {shown.map((toast) => (
            <ToastCard key={toast.id} toast={toast} />
          ))}
        </div>
      )}
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
          <p className={`text-sm break-words text-muted ${isError ? "line-clamp-6" : "line-clamp-4"}`}>
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
