// Parses the text frames of clients.
import { CLOSE, type ClientControl } from "../../../contract.ts";
import { isSize } from "../../hosts/connection.ts";

const LONGEST = 4_096;

/** An invalid message. The client's socket is closed with the code. */
export class ControlError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Undefined for an unknown type: a newer page may say more than this server understands. */
export function parseControl(text: string): ClientControl | undefined {
  if (text.length > LONGEST) throw new ControlError(CLOSE.tooLarge, "That control message is too long.");
  const message = parse(text);
  if (message.type === "ack") return parseAck(message);
  if (message.type === "resize") return parseResize(message);
  return undefined;
}

function parseAck({ offset }: Record<string, unknown>): ClientControl {
  if (!Number.isSafeInteger(offset) || Number(offset) < 0) {
    throw new ControlError(CLOSE.malformed, "ack: offset must be a whole number.");
  }
  return { type: "ack", offset: Number(offset) };
}

function parseResize({ cols, rows }: Record<string, unknown>): ClientControl {
  if (!isSize(cols, rows)) {
    throw new ControlError(CLOSE.malformed, "resize: a size is 2–500 columns and 1–300 rows.");
  }
  return { type: "resize", cols: Number(cols), rows: Number(rows) };
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && "type" in value) return { ...value };
  } catch {
    // reported below, like everything else that isn't a control message
  }
  throw new ControlError(
    CLOSE.malformed,
    "Text frames are JSON control messages. Send input in binary frames.",
  );
}
