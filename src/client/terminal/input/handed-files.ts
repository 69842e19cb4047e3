// Files that are pasted or dropped into a terminal: stored by the server, their paths typed here.

import { type SendError, sendFile } from "../../shared/api/send-file.ts";
import { quoteForShell } from "../../shared/api/shell-quote.ts";
import { showToast } from "../../shared/ui/toast.tsx";
import type { StatusStore } from "../status.ts";

interface HandedFilesOptions {
  url: string;
  status: StatusStore;
  /** Types it as one paste; false when nothing can be typed now. */
  insert(text: string): boolean;
}

const sentence = (message: string) => message.charAt(0).toLowerCase() + message.slice(1);

export class HandedFiles {
  readonly #options: HandedFilesOptions;
  #waiting: File[] = [];
  #stored: string[] = [];
  #failed: { file: File; error: SendError }[] = [];
  #total = 0;
  #stop: AbortController | undefined;
  #onItsWay: File | undefined;

  constructor(options: HandedFilesOptions) {
    this.#options = options;
  }

  /** One after the other; those that come meanwhile join the row. */
  give(files: readonly File[]): void {
    if (files.length === 0) return;
    this.#waiting.push(...files);
    this.#total += files.length;
    if (this.#stop !== undefined) return;
    this.#options.status.patch({ problem: undefined });
    this.#stop = new AbortController();
    void this.#send(this.#stop.signal);
  }

  /** What is stored by now is not typed; it goes with the task's other files. */
  cancel = () => this.#stop?.abort();

  /** Its terminal goes away: nobody could say any more where the path belongs. */
  dispose(): void {
    const file = this.#onItsWay;
    this.cancel();
    if (file === undefined) return;
    const detail = "Its terminal was closed before it had arrived. Open it and hand the file over again.";
    showToast({ title: `${file.name} was not handed over`, detail });
  }

  async #send(signal: AbortSignal): Promise<void> {
    const { status, url } = this.#options;
    while (!signal.aborted) {
      const file = this.#waiting.shift();
      this.#onItsWay = file;
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
    this.#onItsWay = undefined;
    status.patch({ upload: undefined });
    if (isCancelled) return;
    const paths = stored.map(quoteForShell).join(" ");
    if (paths !== "" && !insert(`${paths} `)) {
      status.patch({ problem: { text: `The terminal was away. Stored at ${paths}`, isFatal: false } });
    }
    const first = failed[0];
    if (first === undefined) return;
    const others = failed.length === 1 ? "" : ` (and ${failed.length - 1} more)`;
    const text = `${first.file.name}${others} could not be handed over: ${sentence(first.error.message)}`;
    const passing = failed.filter(({ error }) => error.isPassing).map(({ file }) => file);
    const again = passing.length > 0 && { again: () => this.give(passing) };
    status.patch({ problem: { text, isFatal: false, ...again } });
  }
}
