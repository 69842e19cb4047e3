// ghostty-web's own terminal in a page, with nothing else: what ours is measured against.
import { Ghostty, Terminal } from "ghostty-web";
import engineUrl from "ghostty-web/ghostty-vt.wasm" with { type: "file" };

const CHUNK = 65_536;

declare global {
  interface Window {
    /** Milliseconds until what was written last has been painted. */
    measure(text: string, size: { cols: number; rows: number }): Promise<number>;
  }
}

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

window.measure = async (text, { cols, rows }) => {
  const parent = document.querySelector<HTMLElement>("#root");
  if (parent === null) throw new Error("alone.html has no #root");
  const ghostty = await Ghostty.load(engineUrl);
  const terminal = new Terminal({ cols, rows, ghostty, fontSize: 13, scrollback: 10_000_000 });
  terminal.open(parent);
  await frame();
  const bytes = new TextEncoder().encode(text);
  const start = performance.now();
  for (let at = 0; at < bytes.length; at += CHUNK) terminal.write(bytes.subarray(at, at + CHUNK));
  await frame();
  await frame();
  const took = performance.now() - start;
  terminal.dispose();
  return took;
};
