export interface BoardEvent {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** Server-sent events, or a WebSocket as the page uses it. */
export const EVENT_WAYS = ["stream", "socket"] as const;
export type EventWay = (typeof EVENT_WAYS)[number];

/** One listener of the board's events; pings are left out. */
export class EventReader implements Disposable {
  private readonly queue: BoardEvent[] = [];
  private isOver = false;
  private news = Promise.withResolvers<void>();
  /** As a browser keeps it, to name it when it reconnects. */
  lastEventId = "";
  /** Why the server closed the socket. */
  closeCode: number | undefined;

  private constructor(private readonly leave: () => void) {}

  static async open(
    way: EventWay,
    url: string,
    headers: Record<string, string>,
    after?: string,
  ): Promise<EventReader> {
    return way === "stream"
      ? EventReader.stream(url, headers, after)
      : EventReader.socket(url, headers, after);
  }

  private static async stream(url: string, headers: Record<string, string>, after?: string) {
    const abort = new AbortController();
    const response = await fetch(url, {
      signal: abort.signal,
      headers: { ...headers, ...(after !== undefined && { "last-event-id": after }) },
    });
    if (!response.ok || response.body === null) throw new Error(`no event stream: ${response.status}`);
    const reader = new EventReader(() => abort.abort());
    const cut = () => {}; // by us, or with the server
    void reader
      .readOn(response.body)
      .catch(cut)
      .then(() => reader.end());
    return reader;
  }

  private static socket(url: string, headers: Record<string, string>, after?: string) {
    const query = after === undefined ? "" : `?after=${encodeURIComponent(after)}`;
    const socket = new WebSocket(url.replace(/^http/, "ws") + query, { headers } as never);
    const reader = new EventReader(() => socket.close());
    socket.onmessage = ({ data }) => {
      const { type, id = "", row = {} } = JSON.parse(data as string);
      reader.receive({ type, id, data: row });
    };
    return new Promise<EventReader>((resolve, reject) => {
      socket.onopen = () => resolve(reader);
      socket.onclose = ({ code }) => {
        reader.closeCode = code;
        reader.end();
        reject(new Error(`no event socket: ${code}`));
      };
    });
  }

  /** The next event; undefined when the server has ended the line. */
  async next(): Promise<BoardEvent | undefined> {
    while (this.queue.length === 0 && !this.isOver) await this.news.promise;
    const event = this.queue.shift();
    if (event?.id) this.lastEventId = event.id;
    return event;
  }

  /** Reads on until an event fits, and gives everything read, that one last. */
  async until(fits: (event: BoardEvent) => boolean): Promise<BoardEvent[]> {
    const events: BoardEvent[] = [];
    for (;;) {
      const event = await this.next();
      if (event === undefined) throw new Error(`the events ended after ${events.length}`);
      events.push(event);
      if (fits(event)) return events;
    }
  }

  private async readOn(body: ReadableStream<Uint8Array>) {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of body) {
      const blocks = (text + decoder.decode(chunk, { stream: true })).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? "";
        const type = field("event");
        if (type !== "") this.receive({ id: field("id"), type, data: JSON.parse(field("data")) });
      }
    }
  }

  private receive(event: BoardEvent) {
    if (event.type === "ping") return;
    this.queue.push(event);
    this.wake();
  }

  private end() {
    this.isOver = true;
    this.wake();
  }

  private wake() {
    this.news.resolve();
    this.news = Promise.withResolvers();
  }

  [Symbol.dispose]() {
    this.leave();
  }
}
