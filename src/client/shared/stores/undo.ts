// What a person has done that can be undone, the newest last. In memory, so it is lost when the tab closes.

const MOST = 100;

interface Step {
  run(): void;
}

const steps: Step[] = [];

export function pushUndo(run: () => void) {
  const step: Step = { run };
  steps.push(step);
  if (steps.length > MOST) steps.shift();
  return {
    isNewest: () => steps.at(-1) === step,
    /** For a step that failed, or was undone in another way. */
    forget() {
      const at = steps.indexOf(step);
      if (at !== -1) steps.splice(at, 1);
    },
  };
}

export const canUndo = () => steps.length > 0;

export const undo = () => steps.pop()?.run();
