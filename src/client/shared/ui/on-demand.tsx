import { type ComponentType, useLayoutEffect, useState } from "react";
import { Button } from "./button.tsx";

interface OnDemandProps<Props> {
  /** Begins the sentence that says it could not be loaded. */
  name: string;
  /** Must be the same function on every render. */
  load(): Promise<ComponentType<Props>>;
  props: Props;
}

/**
 * A part of the page that is fetched when it is first shown. That fails while banto is not running, and after an
 * update, which replaces the files.
 */
export function OnDemand<Props extends object>({ name, load, props }: OnDemandProps<Props>) {
  const [loaded, setLoaded] = useState<{ Part: ComponentType<Props> }>();
  const [hasFailed, setHasFailed] = useState(false);
  // A layout effect, so that a part that is loaded already shows before the next frame.
  useLayoutEffect(() => {
    if (hasFailed) return;
    load().then(
      (Part) => setLoaded({ Part }),
      () => setHasFailed(true),
    );
  }, [load, hasFailed]);

  if (loaded !== undefined) return <loaded.Part {...props} />;
  if (!hasFailed) return <div aria-busy className="h-full" />;
  return (
    <div role="alert" className="flex h-full flex-col items-center justify-center gap-3 p-5 text-center">
      <p className="text-muted">{name} could not be loaded. Is the server still running?</p>
      <div className="flex gap-2">
        <Button onClick={() => setHasFailed(false)}>Try again</Button>
        <Button look="quiet" title="Needed after banto was updated" onClick={() => location.reload()}>
          Reload the page
        </Button>
      </div>
    </div>
  );
}
