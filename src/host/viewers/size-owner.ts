// The terminal has the size of the window that was typed in last. Other viewers get theirs when they type.
import type { Size } from "../protocol/messages.ts";
import type { Viewer } from "./viewer.ts";

export function createSizeOwner(apply: (size: Size, owner: number | undefined) => void) {
  let owner: Viewer | undefined;
  return {
    typed(viewer: Viewer) {
      if (owner === viewer) return;
      owner = viewer;
      if (viewer.size !== undefined) apply(viewer.size, viewer.id);
    },
    requests(viewer: Viewer, size: Size) {
      viewer.size = size;
      owner ??= viewer;
      if (owner === viewer) apply(size, viewer.id);
    },
    left(viewer: Viewer) {
      if (owner === viewer) owner = undefined;
    },
  };
}
