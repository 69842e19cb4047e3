export interface BoardEvent {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** One listener of the board's event stream. */
export class EventReader implements Disposable {
  private readonly decoder = new TextDecoder();
  private readonly queue: BoardEvent[] = [];
  private text = "";
  /** As a browser keeps it, to name it when it reconnects. */
  lastEventId = "";

  private constructor(
    private readonly abort: AbortController,
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>,
  ) {}

  static async open(url: string, token: string, lastEventId?: string): Promise<EventReader> {
    const abort = new AbortController();
    const response = await fetch(url, {
      signal: abort.signal,
      headers: {
        authorization: `Bearer ${token}`,
        ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
      },
    });
    if (!response.ok || response.body === null) throw new Error(`no event stream: ${response.status}`);
    return new EventReader(abort, response.body.getReader());
  }

  /** The next event, pings left out; undefined when the server has ended the stream. */
  async next(): Promise<BoardEvent | undefined> {
    while (this.queue.length === 0) {
      const chunk = await this.reader.read();
      if (chunk.done) return undefined;
      this.receive(this.decoder.decode(chunk.value, { stream: true }));
    }
    const event = this.queue.shift();
    if (event?.id) this.lastEventId = event.id;
    return event;
  }

  /** Reads on until an event fits, and gives everything read, that one last. */
  async until(fits: (event: BoardEvent) => boolean): Promise<BoardEvent[]> {
    const events: BoardEvent[] = [];
    for (;;) {
      const event = await this.next();
      if (event === undefined) throw new Error(`the stream ended after ${events.length} events`);
      events.push(event);
      if (fits(event)) return events;
    }
  }

  private receive(text: string) {
    const blocks = (this.text + text).split("\n\n");
    this.text = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? "";
      const type = field("event");
      if (type !== "" && type !== "ping")
        this.queue.push({ id: field("id"), type, data: JSON.parse(field("data")) });
    }
  }

  [Symbol.dispose]() {
    this.abort.abort();
  }
}
