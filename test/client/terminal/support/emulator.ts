// The page's terminal without a page, and what its engine is made to do.
import { spyOn } from "bun:test";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Emulator } from "../../../../src/client/terminal/engine/emulator.ts";

const engine = new WebAssembly.Module(
  readFileSync(fileURLToPath(import.meta.resolve("ghostty-web/ghostty-vt.wasm"))),
);

export function open(cols = 40, rows = 6, module = engine) {
  const heard: string[] = [];
  const emulator = new Emulator(
    module,
    { cols, rows },
    {
      onTitle: (title) => heard.push(`title ${title}`),
      onBell: () => heard.push("bell"),
      onColours: () => {},
      onFailure: () => heard.push("failure"),
    },
  );
  const write = (text: string) => emulator.write(new TextEncoder().encode(text));
  return { emulator, write, heard };
}

/** How often an engine that is made meanwhile copies its whole screen, and how many old lines it copies. */
export function countCopies() {
  const count = { screens: 0, lines: 0 };
  const { Instance } = WebAssembly;
  const made = spyOn(WebAssembly, "Instance").mockImplementation(((
    module: WebAssembly.Module,
    imports: WebAssembly.Imports,
  ) => {
    const real = new Instance(module, imports).exports as Record<string, (...args: number[]) => number>;
    const counted = (name: string, kind: keyof typeof count) => ({
      [name]: (...args: number[]) => {
        count[kind]++;
        return real[name]?.(...args) ?? 0;
      },
    });
    const exports = {
      ...real,
      ...counted("ghostty_render_state_get_viewport", "screens"),
      ...counted("ghostty_terminal_get_scrollback_line", "lines"),
    };
    return { exports };
  }) as unknown as never);
  return Object.assign(count, { [Symbol.dispose]: () => made.mockRestore() });
}
