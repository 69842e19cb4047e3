// The last bytes of a session's output, by absolute offset. The memory is allocated once, shared
// with the mirror's worker, and every byte is copied into it exactly once.

/** Kept beyond what viewers are promised: room for a mirror or a viewer that was not let run for a moment. */
const SLACK = 4_194_304;

export interface SharedRing {
  bytes: SharedArrayBuffer;
  /** One 64-bit number: how many bytes have ever been written. */
  written: SharedArrayBuffer;
}

export class Ring {
  readonly shared: SharedRing;
  readonly #bytes: Uint8Array;
  readonly #written: BigInt64Array;
  readonly #promised: number;
  #head = 0;

  /** `promised` bytes are there for viewers to replay. */
  constructor(promised: number) {
    this.shared = {
      bytes: new SharedArrayBuffer(promised + SLACK),
      written: new SharedArrayBuffer(8),
    };
    this.#bytes = new Uint8Array(this.shared.bytes);
    this.#written = new BigInt64Array(this.shared.written);
    this.#promised = promised;
  }

  /** The offset of the next byte to come. */
  get head(): number {
    return this.#head;
  }

  /** The oldest offset a viewer may ask for. */
  get tail(): number {
    return Math.max(0, this.#head - this.#promised);
  }

  /** The oldest offset whose byte is still in memory. */
  get oldest(): number {
    return Math.max(0, this.#head - this.#bytes.length);
  }

  get capacity(): number {
    return this.#bytes.length;
  }

  append(chunk: Uint8Array): void {
    const capacity = this.#bytes.length;
    const skipped = Math.max(0, chunk.length - capacity);
    const kept = skipped > 0 ? chunk.subarray(skipped) : chunk;
    const start = (this.#head + skipped) % capacity;
    const untilEnd = Math.min(kept.length, capacity - start);
    // Announced before it is written: a reader in another thread that copied old bytes meanwhile
    // must see, when it looks again, that they may be gone.
    this.#head += chunk.length;
    Atomics.store(this.#written, 0, BigInt(this.#head));
    this.#bytes.set(kept.subarray(0, untilEnd), start);
    if (untilEnd < kept.length) this.#bytes.set(kept.subarray(untilEnd), 0);
  }

  /** Copies bytes from `offset` on into `target`; says how many there were. */
  copy(offset: number, target: Uint8Array): number {
    const length = Math.min(target.length, this.#head - offset);
    const start = offset % this.#bytes.length;
    const untilEnd = Math.min(length, this.#bytes.length - start);
    target.set(this.#bytes.subarray(start, start + untilEnd));
    if (untilEnd < length) target.set(this.#bytes.subarray(0, length - untilEnd), untilEnd);
    return length;
  }
}

/** The worker's side: reads what the host's thread writes, and notices when it was too slow. */
export function createRingReader({ bytes, written }: SharedRing) {
  const memory = new Uint8Array(bytes);
  const head = new BigInt64Array(written);
  // Used again and again: large arrays that come and go keep the collector busy.
  let room = new Uint8Array(0);
  return {
    /** A copy of `length` bytes from `offset`, good until the next; undefined if some of them have been overwritten. */
    read(offset: number, length: number): Uint8Array | undefined {
      const start = offset % memory.length;
      const untilEnd = Math.min(length, memory.length - start);
      if (length > room.length) room = new Uint8Array(length);
      const copy = room.subarray(0, length);
      copy.set(memory.subarray(start, start + untilEnd));
      if (untilEnd < length) copy.set(memory.subarray(0, length - untilEnd), untilEnd);
      return Number(Atomics.load(head, 0)) - memory.length > offset ? undefined : copy;
    },
  };
}
