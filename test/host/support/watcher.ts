// A viewer that writes down what it is shown and can be asked to wait for something.
import type { HostClient } from "../../../src/host/client/connect.ts";
import type { Exit } from "../../../src/host/protocol/exit-record.ts";
import type { Attached, AttachRequest, HostEvent } from "../../../src/host/protocol/messages.ts";
import type { TestHost } from "./host.ts";

export interface Watcher {
  client: HostClient;
  attached: Attached[];
  sizes: string[];
  events: HostEvent[];
  resyncs: number;
  exits: Exit[];
  /** Offset after the last byte seen. */
  offset: number;
  /** In the order of arrival: what kind of thing came. */
  order: string[];
  text(): string;
  bytes(): Buffer;
  /** Resolves as soon as the condition holds; looked at whenever something arrives. */
  when(holds: (watcher: Watcher) => boolean, what: string): Promise<void>;
  sees(text: string): Promise<void>;
}

const PATIENCE_MS = 20_000;

export async function watch(host: TestHost, request: AttachRequest | null = {}): Promise<Watcher> {
  const parts: Buffer[] = [];
  const waiting = new Set<() => void>();
  const arrived = (kind: string) => {
    if (watcher.order[watcher.order.length - 1] !== kind) watcher.order.push(kind);
    for (const look of waiting) look();
  };
  const watcher: Watcher = {
    client: undefined as unknown as HostClient,
    attached: [],
    sizes: [],
    events: [],
    resyncs: 0,
    exits: [],
    offset: 0,
    order: [],
    text: () => watcher.bytes().toString(),
    bytes: () => Buffer.concat(parts),
    when: (holds, what) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`never saw ${what}; last was ${JSON.stringify(watcher.text().slice(-300))}`));
        }, PATIENCE_MS);
        const look = () => {
          if (!holds(watcher)) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    sees: (text) => watcher.when((w) => w.text().includes(text), JSON.stringify(text)),
  };
  watcher.client = await host.connect({
    attached(attached) {
      watcher.attached.push(attached);
      watcher.offset = attached.offset;
      arrived("attached");
    },
    snapshot(bytes) {
      parts.push(Buffer.from(bytes));
      arrived("snapshot");
    },
    output(bytes, offset) {
      if (offset !== watcher.offset) throw new Error(`a gap or a repeat: ${watcher.offset} then ${offset}`);
      parts.push(Buffer.from(bytes));
      watcher.offset += bytes.length;
      arrived("output");
    },
    size({ cols, rows }) {
      watcher.sizes.push(`${cols}x${rows}`);
      arrived("size");
    },
    live: () => arrived("live"),
    resync({ offset }) {
      watcher.resyncs++;
      watcher.offset = offset;
      arrived("resync");
    },
    exit(exit) {
      watcher.exits.push(exit);
      arrived("exit");
    },
    event(event) {
      watcher.events.push(event);
      arrived("event");
    },
    closed: () => arrived("closed"),
  });
  if (request !== null) watcher.client.attach(request);
  return watcher;
}
