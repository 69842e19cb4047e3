// A viewer is a position in the ring that moves as fast as its connection takes bytes. There is no queue of output to
// fill up: a slow viewer is further back, and one that falls out of the ring gets a snapshot and goes on from there.
import type { Mirror } from "../mirror/mirror.ts";
import type { Exit } from "../protocol/exit-record.ts";
import { encodeFrame, encodeJson, HostFrame, OUTPUT_HEADER, writeOutputHeader } from "../protocol/frames.ts";
import type { Attached, AttachRequest, Resync, Size } from "../protocol/messages.ts";
import type { Outbox } from "../protocol/outbox.ts";
import type { Ring } from "../terminal/ring.ts";
import type { SizeLog } from "../terminal/size-log.ts";

const CHUNK = 65_536;

export interface Stream {
  ring: Ring;
  sizes: SizeLog;
  mirror: Pick<Mirror, "snapshot">;
  /** Set once the last byte is in the ring. */
  exit(): Exit | undefined;
}

/** Shared by all viewers: a frame is written out before the next one is built. */
const scratch = new Uint8Array(OUTPUT_HEADER + CHUNK);

export class Viewer {
  readonly id: number;
  /** The size of this viewer's own window, once it has said so. */
  size: Size | undefined;
  #next = 0;
  /** The serial number of the last change of size it was told. */
  #sizeSerial: number;
  #liveAt: number | undefined;
  #waiting = true;
  #exitSent = false;
  readonly #stream: Stream;
  readonly #outbox: Outbox;

  constructor(id: number, stream: Stream, outbox: Outbox) {
    this.id = id;
    this.#stream = stream;
    this.#outbox = outbox;
    this.#sizeSerial = stream.sizes.current.serial;
  }

  async attach({ from, snapshot: byState }: AttachRequest): Promise<void> {
    const { ring, sizes } = this.#stream;
    if (!byState && from !== undefined && from >= ring.tail && from <= ring.head) {
      this.#begin("delta", from, sizes.at(from));
    } else if (!byState && ring.tail === 0) {
      this.#begin("full", 0, sizes.first);
    } else {
      const snapshot = await this.#stream.mirror.snapshot();
      this.#begin("snapshot", snapshot.offset, { ...snapshot, serial: snapshot.resizes }, snapshot.bytes);
    }
    this.pump();
  }

  #begin(
    replay: Attached["replay"],
    offset: number,
    { cols, rows, serial }: Size & { serial: number },
    snapshot?: Uint8Array,
  ): void {
    const snapshotBytes = snapshot?.length ?? 0;
    const attached: Attached = { viewer: this.id, replay, offset, snapshotBytes, cols, rows };
    this.#outbox.send(encodeJson(HostFrame.attached, attached));
    if (snapshot !== undefined) this.#outbox.send(encodeFrame(HostFrame.snapshot, snapshot));
    this.#next = offset;
    this.#sizeSerial = serial;
    this.#liveAt = this.#stream.ring.head;
    this.#waiting = false;
  }

  /** It has been sent everything, the exit included. */
  get isServed(): boolean {
    return this.#exitSent && this.#outbox.isClear;
  }

  /** Sends what there is, as far as the connection takes it. */
  pump(): void {
    // Not only when the socket says that it has room: under a flood it says so late.
    this.#outbox.flush();
    while (!this.#waiting && this.#outbox.isClear && this.#step());
  }

  /** Sends one frame; false when there is none to send now. */
  #step(): boolean {
    const { ring, sizes } = this.#stream;
    if (this.#next < ring.oldest) {
      void this.#resync();
      return false;
    }
    const change = sizes.after(this.#sizeSerial);
    if (change !== undefined && change.offset <= this.#next) {
      const { cols, rows, owner = null } = change;
      this.#sizeSerial = change.serial;
      this.#outbox.send(encodeJson(HostFrame.size, { cols, rows, owner }));
      return true;
    }
    const until = Math.min(change?.offset ?? ring.head, ring.head);
    if (this.#next < until) {
      this.#sendOutput(Math.min(until - this.#next, CHUNK));
      return true;
    }
    if (this.#liveAt !== undefined && this.#next >= this.#liveAt) {
      this.#liveAt = undefined;
      this.#outbox.send(encodeJson(HostFrame.live, { offset: this.#next }));
      return true;
    }
    this.#sendExit();
    return false;
  }

  #sendOutput(length: number): void {
    this.#stream.ring.copy(this.#next, scratch.subarray(OUTPUT_HEADER, OUTPUT_HEADER + length));
    writeOutputHeader(scratch, this.#next, length);
    this.#outbox.send(scratch.subarray(0, OUTPUT_HEADER + length));
    this.#next += length;
  }

  #sendExit(): void {
    const exit = this.#stream.exit();
    if (exit === undefined || this.#exitSent) return;
    this.#exitSent = true;
    this.#outbox.send(encodeJson(HostFrame.exit, exit));
  }

  async #resync(): Promise<void> {
    this.#waiting = true;
    const { offset, cols, rows, bytes, resizes } = await this.#stream.mirror.snapshot();
    const lost = offset - this.#next;
    const resync: Resync = { offset, lost, snapshotBytes: bytes.length, cols, rows };
    this.#outbox.send(encodeJson(HostFrame.resync, resync));
    this.#outbox.send(encodeFrame(HostFrame.snapshot, bytes));
    this.#next = offset;
    this.#sizeSerial = resizes;
    this.#waiting = false;
    this.pump();
  }
}
