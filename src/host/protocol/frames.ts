// The frames between a session host and its clients: a 4-byte length (little endian, of type and payload together), one
// byte of type, and a payload, which is either JSON or plain bytes.

export const PROTOCOL_VERSION = 1;

/** A paste is sent in one frame, so that nobody else's typing can get in between. */
export const MAX_INPUT = 16_777_216;
/** A longer frame is not from one of our clients. */
export const MAX_CLIENT_FRAME = MAX_INPUT + 1;
/** A client's first frame is short. */
export const MAX_FIRST_FRAME = 4_096;
/** Enough for a snapshot of the largest screen with its history. */
export const MAX_HOST_FRAME = 67_108_864;

export const ClientFrame = {
  hello: 1,
  attach: 2,
  input: 3,
  resize: 4,
  screen: 6,
  signal: 7,
  stop: 8,
  status: 9,
  subscribe: 10,
  collect: 11,
  signals: 12,
  answer: 13,
  /** Like the host's. */
  nothing: 14,
} as const;

export const HostFrame = {
  hello: 65,
  refused: 66,
  attached: 67,
  snapshot: 68,
  output: 69,
  size: 70,
  live: 71,
  resync: 72,
  screen: 73,
  status: 74,
  event: 75,
  exit: 76,
  error: 77,
  stopped: 78,
  resized: 79,
  signals: 80,
  answered: 81,
  /** Says nothing. Sending it shows whether the other side is still there. */
  nothing: 82,
} as const;

/** A client sent something that makes no sense. Only its connection ends. */
export class ProtocolError extends Error {
  override name = "ProtocolError";
}

const HEADER = 5;
const NOTHING = new Uint8Array(0);

export function encodeFrame(type: number, payload: Uint8Array = NOTHING): Uint8Array {
  const frame = new Uint8Array(HEADER + payload.length);
  new DataView(frame.buffer).setUint32(0, payload.length + 1, true);
  frame[4] = type;
  frame.set(payload, HEADER);
  return frame;
}

export const encodeJson = (type: number, value: unknown) =>
  encodeFrame(type, new TextEncoder().encode(JSON.stringify(value)));

/** An output frame starts with the offset of its first byte, as a 64-bit float. */
export const OUTPUT_HEADER = HEADER + 8;

export function writeOutputHeader(frame: Uint8Array, offset: number, length: number): void {
  const view = new DataView(frame.buffer, frame.byteOffset);
  view.setUint32(0, length + 9, true);
  frame[4] = HostFrame.output;
  view.setFloat64(HEADER, offset, true);
}

export function parseOutput(payload: Uint8Array): { offset: number; bytes: Uint8Array } {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  return { offset: view.getFloat64(0, true), bytes: payload.subarray(8) };
}

export function parseJson(payload: Uint8Array): Record<string, unknown> {
  if (payload.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  } catch {
    throw new ProtocolError("a control frame is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ProtocolError("a control frame is not an object");
  }
  return value as Record<string, unknown>;
}
