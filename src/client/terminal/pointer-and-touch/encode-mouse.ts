// The bytes that report mouse events to a program.

/** Which events: X10 presses only, 1000 presses and releases, 1002 also drags, 1003 every move. */
export type Tracking = "none" | "x10" | "click" | "drag" | "move";
export type Encoding = "default" | "utf8" | "sgr" | "urxvt" | "pixels";

export interface MouseReport {
  kind: "press" | "release" | "move" | "wheel";
  /** 0 left, 1 middle, 2 right, 3 none; for a wheel 0 up, 1 down, 2 left, 3 right. */
  button: number;
  /** Cells, from 0. */
  col: number;
  row: number;
  /** CSS pixels, from 0. Only some programs ask for them. */
  x: number;
  y: number;
  shiftKey: boolean;
  altKey: boolean;
  ctrlKey: boolean;
}

type Mode = (number: number) => boolean;

export function tracking(mode: Mode): Tracking {
  if (mode(1003)) return "move";
  if (mode(1002)) return "drag";
  if (mode(1000)) return "click";
  return mode(9) ? "x10" : "none";
}

export function encoding(mode: Mode): Encoding {
  if (mode(1016)) return "pixels";
  if (mode(1006)) return "sgr";
  if (mode(1015)) return "urxvt";
  return mode(1005) ? "utf8" : "default";
}

function isWanted({ kind, button }: MouseReport, want: Tracking): boolean {
  if (want === "none") return false;
  if (want === "x10") return kind === "press";
  if (kind === "move") return want === "move" || (want === "drag" && button !== 3);
  return true;
}

const MOTION = 32;
const WHEEL = 64;
const RELEASED = 3;
/** The classic form has one byte for a coordinate, offset by this. */
const OFFSET = 32;
const MOST_DEFAULT = 223;
const MOST_UTF8 = 2_015;

/** Latin-1: one character per byte. undefined: not wanted, or impossible in this encoding. */
export function encodeMouse(report: MouseReport, want: Tracking, form: Encoding): string | undefined {
  if (!isWanted(report, want)) return undefined;
  const { kind, button, col, row } = report;
  const held = (report.shiftKey ? 4 : 0) + (report.altKey ? 8 : 0) + (report.ctrlKey ? 16 : 0);
  const code =
    button + (kind === "wheel" ? WHEEL : kind === "move" ? MOTION : 0) + (want === "x10" ? 0 : held);
  if (form === "sgr" || form === "pixels") {
    const [x, y] = form === "sgr" ? [col + 1, row + 1] : [Math.round(report.x) + 1, Math.round(report.y) + 1];
    return `\x1b[<${code};${x};${y}${kind === "release" ? "m" : "M"}`;
  }
  // These encodings don't say which button was released.
  const plain = kind === "release" ? code - button + RELEASED : code;
  if (form === "urxvt") return `\x1b[${plain + OFFSET};${col + 1};${row + 1}M`;
  if (Math.max(col, row) + 1 > (form === "utf8" ? MOST_UTF8 : MOST_DEFAULT)) return undefined;
  const coordinate = (cell: number) =>
    form === "utf8"
      ? latin1OfUtf8(String.fromCodePoint(cell + 1 + OFFSET))
      : String.fromCharCode(cell + 1 + OFFSET);
  return `\x1b[M${String.fromCharCode(plain + OFFSET)}${coordinate(col)}${coordinate(row)}`;
}

const latin1OfUtf8 = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));
