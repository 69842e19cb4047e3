// Files that are pasted or dropped into a terminal: the server stores them, and their paths are typed.
import { type SendError, sendFile } from "../../shared/api/send-file.ts";
import { quoteForShell } from "../../shared/api/shell-quote.ts";
import { showToast } from "../../shared/ui/toast.tsx";
import type { StatusStore } from "../status.ts";

interface UploadsOptions {
  url: string;
  status: StatusStore;
  /** Types it as one paste; false when nothing can be typed now. */
  insert(text: string): boolean;
}

const uncapitalized = (message: string) => message.charAt(0).toLowerCase() + message.slice(1);

export class Uploads {
  readonly #options: UploadsOptions;
  #waiting: File[] = [];
  #stored: string[] = [];
  #failed: { file: File; error: SendError }[] = [];
  #total = 0;
  #stop: AbortController | undefined;
  #current: File | undefined;

  constructor(options: UploadsOptions) {
    this.#options = options;
  }

  /** Sends them one after the other. */
  add(files: readonly File[]): void {
    if (files.length === 0) return;
    this.#waiting.push(...files);
    this.#total += files.length;
    if (this.#stop !== undefined) return;
    this.#options.status.patch({ problem: undefined });
    this.#stop = new AbortController();
    void this.#send(this.#stop.signal);
  }

  /** Files that were stored already are kept, but their paths are not typed. */
  cancel = () => this.#stop?.abort();

  /** Without the terminal there is nowhere to type the path. */
  dispose(): void {
    const file = this.#current;
    this.cancel();
    if (file === undefined) return;
    const detail = "The terminal was closed before the upload finished. Open it and attach the file again.";
    showToast({ title: `Couldn't attach ${file.name}`, detail });
  }

  async #send(signal: AbortSignal): Promise<void> {
    const { status, url } = this.#options;
    while (!signal.aborted) {
      const file = this.#waiting.shift();
      this.#current = file;
      if (file === undefined) break;
      const onProgress = (share: number) => {
        const number = this.#total - this.#waiting.length;
        status.patch({ upload: { name: file.name, number, count: this.#total, share } });
      };
      onProgress(0);
      try {
        this.#stored.push(await sendFile(url, file, { signal, onProgress }));
      } catch (error) {
        if (!signal.aborted) this.#failed.push({ file, error: error as SendError });
      }
    }
    this.#finish(signal.aborted);
  }

  #finish(isCancelled: boolean): void {
    const { status, insert } = this.#options;
    const [stored, failed] = [this.#stored, this.#failed];
    [this.#waiting, this.#stored, this.#failed, this.#total, this.#stop] = [[], [], [], 0, undefined];
    this.#current = undefined;
    status.patch({ upload: undefined });
    if (isCancelled) return;
    const paths = stored.map(quoteForShell).join(" ");
    if (paths !== "" && !insert(`${paths} `)) {
      status.patch({
        problem: { text: `The terminal wasn't connected. Stored at ${paths}`, isFatal: false },
      });
    }
    const first = failed[0];
    if (first === undefined) return;
    const others = failed.length === 1 ? "" : ` (and ${failed.length - 1} more)`;
    const text = `Couldn't attach ${first.file.name}${others}: ${uncapitalized(first.error.message)}`;
    const passing = failed.filter(({ error }) => error.isPassing).map(({ file }) => file);
    const retry = passing.length > 0 && { retry: () => this.add(passing) };
    status.patch({ problem: { text, isFatal: false, ...retry } });
  }
}
