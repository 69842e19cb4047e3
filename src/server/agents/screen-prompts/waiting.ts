/** How a program waits for a person. */
export interface Waiting {
  /** Asks something; has an input box for whatever comes next; or is a shell or the like at its prompt. */
  kind: "question" | "box" | "prompt";
  /** The line that asks, as it stands on the screen. */
  text: string;
}
