// What is known of a terminal outside its picture; the page's own parts show it.
import { createStore, type Store } from "../shared/stores/store.ts";
import type { ConnectionState } from "./connection/socket.ts";
import type { Size } from "./engine/emulator.ts";

interface TerminalStatus {
  connection: ConnectionState;
  size: Size;
  /** The size this window would give it. */
  fit: Size;
  /** Lines below what is to be seen. */
  below: number;
  title: string;
  /** Address under the pointer. */
  link: string | undefined;
  /** Waits for a word: several lines for a program that would run each of them. */
  paste: string | undefined;
  matches: { count: number; current: number };
  /** How often the bell rang. */
  bells: number;
  /** What went wrong, in words; `isFatal` when nothing is shown any more until somebody asks for it. */
  problem: { text: string; isFatal: boolean; again?: () => void } | undefined;
  /** A file on its way to the server; `share` of it is there. */
  upload: { name: string; number: number; count: number; share: number } | undefined;
  /** Something is dragged over the terminal that could be dropped there. */
  isOver: boolean;
  /** What a finger can do here, where it rested. */
  menu: TouchMenu | undefined;
}

interface TouchMenu {
  /** In the terminal's box, in CSS pixels. */
  x: number;
  y: number;
  hasSelection: boolean;
  /** Of what is marked, to be taken and drawn elsewhere. */
  ends: { x: number; y: number }[];
  link: string | undefined;
}

export interface StatusStore extends Store<TerminalStatus> {
  patch(change: Partial<TerminalStatus>): void;
}

const isSame = (a: unknown, b: unknown) =>
  a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));

export function createStatus(fit: Size): StatusStore {
  const store = createStore<TerminalStatus>({
    connection: { kind: "connecting" },
    size: fit,
    fit,
    below: 0,
    title: "",
    link: undefined,
    paste: undefined,
    matches: { count: 0, current: -1 },
    bells: 0,
    problem: undefined,
    upload: undefined,
    isOver: false,
    menu: undefined,
  });
  return {
    ...store,
    /** Nobody is told of what stays the same. */
    patch(change) {
      const status = store.get();
      const news = Object.entries(change).filter(
        ([key, value]) => !isSame(value, status[key as keyof TerminalStatus]),
      );
      if (news.length > 0) store.set({ ...status, ...Object.fromEntries(news) });
    },
  };
}
