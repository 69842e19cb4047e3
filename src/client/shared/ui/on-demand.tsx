import { type ComponentType, useLayoutEffect, useState } from "react";
import { Button } from "./button.tsx";

interface OnDemandProps<Props> {
  /** As the sentence that says it could not be loaded begins. */
  name: string;
  /** Always the same one. */
  load(): Promise<ComponentType<Props>>;
  props: Props;
}

/**
 * A part of the page that is fetched when it is first shown. That can fail: banto is not running, or is a newer one
 * that has other files.
 */
export function OnDemand<Props extends object>({ name, load, props }: OnDemandProps<Props>) {
  const [loaded, setLoaded] = useState<{ Part: ComponentType<Props> }>();
  const [hasFailed, setHasFailed] = useState(false);
  // Before the next frame, where it is there already.
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
