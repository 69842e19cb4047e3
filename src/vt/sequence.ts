// Parses control sequences, as far as needed here.

export interface Csi {
  /** `<`, `=`, `>` or `?`, if there is one. */
  prefix: string;
  params: number[];
  intermediates: string;
  final: string;
}

/** One character per byte. No browser decoder does that for all 256 values. */
const latin1 = (bytes: Uint8Array) => {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

const CSI = /^([<=>?]?)([\d;:]*)([ -/]*)([@-~])$/;

export function parseCsi(bytes: Uint8Array): Csi | undefined {
  const match = CSI.exec(latin1(bytes.subarray(2)));
  if (match === null) return undefined;
  const [, prefix = "", params = "", intermediates = "", final = ""] = match;
  return {
    prefix,
    params: params === "" ? [] : params.split(";").map((param) => Number.parseInt(param, 10) || 0),
    intermediates,
    final,
  };
}

export interface Osc {
  number: number;
  data: string;
  /** What ended it, so that an answer can end the same way. */
  terminator: "\x07" | "\x1b\\";
}

export function parseOsc(bytes: Uint8Array): Osc | undefined {
  const ended = bytes[bytes.length - 1] === 0x07;
  const text = new TextDecoder().decode(bytes.subarray(2, ended ? bytes.length - 1 : bytes.length));
  const match = /^(\d+)(?:;([\s\S]*))?$/.exec(text);
  if (match === null) return undefined;
  return { number: Number(match[1]), data: match[2] ?? "", terminator: ended ? "\x07" : "\x1b\\" };
}

/** The payload of a DCS, without its introducer. */
export const parseDcs = (bytes: Uint8Array) => (bytes[1] === 0x50 ? latin1(bytes.subarray(2)) : undefined);

export const parseEscape = (bytes: Uint8Array) => latin1(bytes.subarray(1));
