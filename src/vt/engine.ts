// Binds ghostty's terminal core, the same WebAssembly in the host and in the page, with only the calls they need. The
// package's own JavaScript isn't used: it contains an inlined copy of the module, which would cost every session host
// memory, and which the content security policy forbids.

/** The exports that are used here, as named by ghostty-web 0.4.0. */
interface Exports {
  memory: WebAssembly.Memory;
  ghostty_wasm_alloc_u8_array(length: number): number;
  ghostty_terminal_new_with_config(cols: number, rows: number, config: number): number;
  ghostty_terminal_write(terminal: number, data: number, length: number): void;
  ghostty_terminal_resize(terminal: number, cols: number, rows: number): void;
  ghostty_render_state_update(terminal: number): number;
  ghostty_render_state_get_cols(terminal: number): number;
  ghostty_render_state_get_rows(terminal: number): number;
  ghostty_render_state_get_cursor_x(terminal: number): number;
  ghostty_render_state_get_cursor_y(terminal: number): number;
  ghostty_render_state_get_cursor_visible(terminal: number): number;
  ghostty_render_state_is_row_dirty(terminal: number, row: number): number;
  ghostty_render_state_mark_clean(terminal: number): void;
  ghostty_render_state_get_viewport(terminal: number, out: number, cells: number): number;
  ghostty_render_state_get_grapheme(t: number, row: number, col: number, out: number, size: number): number;
  ghostty_terminal_is_alternate_screen(terminal: number): number;
  ghostty_terminal_get_mode(terminal: number, mode: number, ansi: number): number;
  ghostty_terminal_get_scrollback_length(terminal: number): number;
  ghostty_terminal_get_scrollback_line(terminal: number, line: number, out: number, cells: number): number;
  ghostty_terminal_get_scrollback_grapheme(
    t: number,
    line: number,
    col: number,
    out: number,
    size: number,
  ): number;
  ghostty_terminal_is_row_wrapped(terminal: number, row: number): number;
  ghostty_terminal_read_response(terminal: number, out: number, size: number): number;
}

export const CELL_BYTES = 16;
const CONFIG_BYTES = 80;
const CHUNK_BYTES = 65_536;
const PAGE = 65_536;
const GRAPHEME_CODEPOINTS = 64;
/** Lines of history to read at once: the memory for them is never freed. */
const HISTORY_LINES = 64;

export interface EngineOptions {
  cols: number;
  rows: number;
  /** Bytes, as the engine counts them; it never keeps less than one page (some 600 lines). */
  scrollback: number;
  /** Foreground, background and the sixteen named colours as 0xRRGGBB; 0 leaves the engine's own. */
  foreground: number;
  background: number;
  palette: readonly number[];
  /** Wraps the module's exports. */
  guard?(exports: WebAssembly.Exports): WebAssembly.Exports;
}

export interface Engine {
  write(bytes: Uint8Array): void;
  resize(cols: number, rows: number): void;
  size(): { cols: number; rows: number };
  cursor(): { x: number; y: number };
  isCursorVisible(): boolean;
  /** Whether anything on the screen has changed since `markClean`. `isRowDirty` says where. */
  isDirty(): boolean;
  isRowDirty(row: number): boolean;
  markClean(): void;
  /** A copy of the visible cells, CELL_BYTES each, row by row. */
  cells(): Uint8Array;
  /** Every code point of one visible cell, the first included. */
  grapheme(row: number, col: number): number[];
  /** Does this visible row continue the one above it? */
  continues(row: number): boolean;
  scrollbackLength(): number;
  /** Cells of lines that have scrolled away, 0 being the oldest, in the same form as above. */
  history(from: number, lines: number): Uint8Array;
  historyGrapheme(line: number, col: number): number[];
  isAlternate(): boolean;
  mode(mode: number, ansi?: boolean): boolean;
  /** The engine's own answers to status queries since the last call. */
  takeAnswer(): Uint8Array;
  memory(): WebAssembly.Memory;
  /** Becomes an exact copy of another engine of the same module: all state lives in linear memory. */
  copyFrom(other: Engine): void;
}

export function createEngine(module: WebAssembly.Module, options: EngineOptions): Engine {
  const { guard = (exports) => exports } = options;
  const instance = new WebAssembly.Instance(module, { env: { log() {} } });
  const exports = guard(instance.exports) as unknown as Exports;
  const { memory } = exports;
  const bytes = () => new Uint8Array(memory.buffer);

  // Allocated before the terminal and in this order, so that two engines of one module agree on every address and one
  // can be copied onto the other.
  const config = exports.ghostty_wasm_alloc_u8_array(CONFIG_BYTES);
  const input = exports.ghostty_wasm_alloc_u8_array(CHUNK_BYTES);
  const grapheme = exports.ghostty_wasm_alloc_u8_array(GRAPHEME_CODEPOINTS * 4);
  const view = new DataView(memory.buffer);
  const words = [options.scrollback, options.foreground, options.background, 0, ...options.palette];
  for (let i = 0; i < CONFIG_BYTES / 4; i++) view.setUint32(config + i * 4, words[i] ?? 0, true);
  const terminal = exports.ghostty_terminal_new_with_config(options.cols, options.rows, config);
  if (terminal === 0) throw new Error("the terminal engine could not be started");

  // Cells are read into pages that the engine's allocator doesn't know, because copying another engine also copies its
  // allocator's state, and what was allocated here would have to be allocated again every time.
  let room = { address: 0, bytes: 0 };
  const roomFor = (cells: number) => {
    if (cells * CELL_BYTES > room.bytes) {
      const pages = Math.ceil((cells * CELL_BYTES) / PAGE);
      room = { address: memory.grow(pages) * PAGE, bytes: pages * PAGE };
    }
    return room.address;
  };
  const codepoints = (count: number) =>
    Array.from(new Uint32Array(memory.buffer, grapheme, Math.max(count, 0)));

  // Allocates the engine's own buffers once, so that they don't have to be allocated in every copy.
  exports.ghostty_render_state_update(terminal);

  const engine: Engine = {
    write(data) {
      for (let at = 0; at < data.length; at += CHUNK_BYTES) {
        const part = data.subarray(at, at + CHUNK_BYTES);
        bytes().set(part, input);
        exports.ghostty_terminal_write(terminal, input, part.length);
      }
    },
    resize(cols, rows) {
      exports.ghostty_terminal_resize(terminal, cols, rows);
    },
    size() {
      exports.ghostty_render_state_update(terminal);
      return {
        cols: exports.ghostty_render_state_get_cols(terminal),
        rows: exports.ghostty_render_state_get_rows(terminal),
      };
    },
    cursor() {
      exports.ghostty_render_state_update(terminal);
      return {
        x: exports.ghostty_render_state_get_cursor_x(terminal),
        y: exports.ghostty_render_state_get_cursor_y(terminal),
      };
    },
    isCursorVisible() {
      exports.ghostty_render_state_update(terminal);
      return exports.ghostty_render_state_get_cursor_visible(terminal) !== 0;
    },
    isDirty: () => exports.ghostty_render_state_update(terminal) !== 0,
    isRowDirty: (row) => exports.ghostty_render_state_is_row_dirty(terminal, row) !== 0,
    markClean: () => exports.ghostty_render_state_mark_clean(terminal),
    cells() {
      const { cols, rows } = engine.size();
      const address = roomFor(cols * rows);
      exports.ghostty_render_state_get_viewport(terminal, address, cols * rows);
      return bytes().slice(address, address + cols * rows * CELL_BYTES);
    },
    grapheme: (row, col) =>
      codepoints(
        exports.ghostty_render_state_get_grapheme(terminal, row, col, grapheme, GRAPHEME_CODEPOINTS),
      ),
    history(from, lines) {
      const { cols } = engine.size();
      const lineBytes = cols * CELL_BYTES;
      const read = new Uint8Array(lines * lineBytes);
      const address = roomFor(cols * Math.min(lines, HISTORY_LINES));
      for (let at = 0; at < lines; at += HISTORY_LINES) {
        const count = Math.min(HISTORY_LINES, lines - at);
        for (let i = 0; i < count; i++)
          exports.ghostty_terminal_get_scrollback_line(
            terminal,
            from + at + i,
            address + i * lineBytes,
            cols,
          );
        read.set(bytes().subarray(address, address + count * lineBytes), at * lineBytes);
      }
      return read;
    },
    historyGrapheme: (line, col) =>
      codepoints(
        exports.ghostty_terminal_get_scrollback_grapheme(terminal, line, col, grapheme, GRAPHEME_CODEPOINTS),
      ),
    continues: (row) => exports.ghostty_terminal_is_row_wrapped(terminal, row) !== 0,
    scrollbackLength: () => exports.ghostty_terminal_get_scrollback_length(terminal),
    isAlternate: () => exports.ghostty_terminal_is_alternate_screen(terminal) !== 0,
    mode: (mode, ansi = false) => exports.ghostty_terminal_get_mode(terminal, mode, ansi ? 1 : 0) !== 0,
    takeAnswer() {
      const length = exports.ghostty_terminal_read_response(terminal, input, CHUNK_BYTES);
      return bytes().slice(input, input + Math.max(length, 0));
    },
    memory: () => memory,
    copyFrom(other) {
      const source = new Uint8Array(other.memory().buffer);
      const missing = source.length - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
      bytes().set(source);
      if (room.address < source.length) room = { address: 0, bytes: 0 };
    },
  };
  return engine;
}
