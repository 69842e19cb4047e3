// What the page shows of a terminal besides its picture.
import { createStore, type Store } from "../shared/stores/store.ts";
import type { ConnectionState } from "./connection/socket.ts";
import type { Size } from "./engine/lines.ts";
import type { Target } from "./links-and-find/links.ts";

interface TerminalStatus {
  connection: ConnectionState;
  size: Size;
  /** The size that would fill this window. */
  fit: Size;
  /** Lines below the last one in view. */
  below: number;
  title: string;
  /** What is typed goes to the program. */
  isFocused: boolean;
  /** Where the link under the pointer leads. */
  link: Target | undefined;
  /** Text that is typed once the person has confirmed it. */
  paste: string | undefined;
  matches: { count: number; current: number };
  /** How often the bell rang. */
  bells: number;
  /** `isFatal`: nothing new is shown until the terminal is restarted. */
  problem: { text: string; isFatal: boolean; retry?: () => void } | undefined;
  /** The file being sent: its number out of `count`, and the share that has been sent, from 0 to 1. */
  upload: { name: string; number: number; count: number; share: number } | undefined;
  /** Something is dragged over the terminal that can be dropped there. */
  isDropTarget: boolean;
  /** Opened by a long press, a tap on a link, or a click on one that leads elsewhere than it says. */
  menu: TouchMenu | undefined;
}

interface TouchMenu {
  /** In the terminal's box, in CSS pixels. */
  x: number;
  y: number;
  hasSelection: boolean;
  /** Handles at the selection's ends. */
  ends: { x: number; y: number }[];
  link: Target | undefined;
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
    isFocused: false,
    link: undefined,
    paste: undefined,
    matches: { count: 0, current: -1 },
    bells: 0,
    problem: undefined,
    upload: undefined,
    isDropTarget: false,
    menu: undefined,
  });
  return {
    ...store,
    /** Tells listeners only if something changed. */
    patch(change) {
      const status = store.get();
      const changes = Object.entries(change).filter(
        ([key, value]) => !isSame(value, status[key as keyof TerminalStatus]),
      );
      if (changes.length > 0) store.set({ ...status, ...Object.fromEntries(changes) });
    },
  };
}
