// ghostty-web's own terminal in a page, with nothing else: what ours is measured against. Enter brings the bytes:
// from memory, in one go and perhaps into a new terminal, or from a WebSocket, written as they come. Any other key
// clears, unless it is about keys.
import { Ghostty, Terminal } from "ghostty-web";
import engineUrl from "ghostty-web/ghostty-vt.wasm" with { type: "file" };

const CHUNK = 65_536;

const query = new URLSearchParams(location.search);
const source = query.get("source");
const parent = document.querySelector<HTMLElement>("#root");
if (parent === null) throw new Error("alone.html has no #root");
const open = async () => {
  const created = new Terminal({
    cols: Number(query.get("cols")),
    rows: Number(query.get("rows")),
    ghostty: await Ghostty.load(engineUrl),
    fontSize: 13,
    scrollback: 10_000_000,
  });
  created.open(parent);
  return created;
};
let terminal = await open();

let bring: (key: string) => void;
if (source === "memory" || source === "open") {
  const whole = await (await fetch("/flood")).bytes();
  const bytes = source === "open" ? whole.subarray(-1_048_576) : whole;
  bring = async () => {
    if (source === "open") {
      terminal.dispose();
      terminal = await open();
    }
    for (let at = 0; at < bytes.length; at += CHUNK) terminal.write(bytes.subarray(at, at + CHUNK));
  };
} else {
  const socket = new WebSocket(`ws://${location.host}/alone/${source}`);
  socket.binaryType = "arraybuffer";
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
    if (typeof data === "string") {
      document.body.dataset.quarter = data;
      return;
    }
    terminal.write(new Uint8Array(data));
    if (source === "hour") socket.send("more");
  };
  await new Promise((resolve) => {
    socket.onopen = resolve;
  });
  bring = (key) => socket.send(key);
}
const onKey = (event: KeyboardEvent) => {
  event.stopPropagation();
  event.preventDefault();
  if (event.key === "Control") return;
  if (event.key === "Enter" || source === "echo") bring(event.ctrlKey ? "\b" : event.key);
  else terminal.write("\x1b[2J\x1b[H");
};
window.addEventListener("keydown", onKey, true);
document.body.dataset.isReady = "";
