// Stand-ins for the mirror's engine that misbehave, as the real one could: WebAssembly of a few
// bytes with the same exports, whose write either never returns or traps.

const EXPORTS: [name: string, parameters: number, returns: boolean][] = [
  ["ghostty_wasm_alloc_u8_array", 1, true],
  ["ghostty_terminal_new_with_config", 3, true],
  ["ghostty_terminal_write", 3, false],
  ["ghostty_terminal_resize", 3, false],
  ["ghostty_render_state_update", 1, true],
  ["ghostty_render_state_get_cols", 1, true],
  ["ghostty_render_state_get_rows", 1, true],
  ["ghostty_render_state_get_cursor_x", 1, true],
  ["ghostty_render_state_get_cursor_y", 1, true],
  ["ghostty_render_state_get_viewport", 3, true],
  ["ghostty_terminal_is_alternate_screen", 1, true],
];

const I32 = 0x7f;
const section = (id: number, content: number[]) => [id, ...leb(content.length), ...content];
const leb = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...leb(value >> 7)]);
const vector = (items: number[][]) => [...leb(items.length), ...items.flat()];
const named = (name: string) => [...leb(name.length), ...Buffer.from(name)];

// loop: memory[0] = memory[0] + 1; again
const HANG = [0x03, 0x40, 0x41, 0, 0x41, 0, 0x28, 2, 0, 0x41, 1, 0x6a, 0x36, 2, 0, 0x0c, 0, 0x0b];
const TRAP = [0x00];

export function brokenEngine(how: "hang" | "trap"): Uint8Array {
  const types = EXPORTS.map(([, parameters, returns]) => [
    0x60,
    ...vector(Array.from({ length: parameters }, () => [I32])),
    ...vector(returns ? [[I32]] : []),
  ]);
  const bodies = EXPORTS.map(([name, , returns]) => {
    const write = name === "ghostty_terminal_write" ? (how === "hang" ? HANG : TRAP) : [];
    const code = [0, ...write, ...(returns ? [0x41, 16] : []), 0x0b];
    return [...leb(code.length), ...code];
  });
  const exported = EXPORTS.map(([name], index) => [...named(name), 0, ...leb(index)]);
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector(types)),
    ...section(3, vector(EXPORTS.map((_, index) => leb(index)))),
    ...section(5, [1, 0, 16]),
    ...section(7, vector([[...named("memory"), 2, 0], ...exported])),
    ...section(10, vector(bodies)),
  ]);
}
