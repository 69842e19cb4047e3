/** How a program waits for a person. */
export interface Waiting {
  /** It asks something, has an input box for the next task, or is a shell or the like at its prompt. */
  kind: "question" | "box" | "prompt";
  /** The line that asks, as shown on the screen. */
  text: string;
  /** A person has said what this program's dialogs look like: no need to wait until it is silent. */
  isCertain?: boolean;
}
