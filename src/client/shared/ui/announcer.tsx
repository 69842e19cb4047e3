import { createStore, useStore } from "../stores/store.ts";

const message = createStore("");

/** Tells screen readers what others can see happen. */
export const announce = (text: string) => message.set(text);

export function Announcer() {
  const text = useStore(message);
  return (
    <div aria-live="assertive" className="sr-only">
      {text}
    </div>
  );
}
