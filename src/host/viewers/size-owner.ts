// Whose window decides: the viewer who typed last. Others keep their wish until they type.
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
    wishes(viewer: Viewer, size: Size) {
      viewer.size = size;
      owner ??= viewer;
      if (owner === viewer) apply(size, viewer.id);
    },
    left(viewer: Viewer) {
      if (owner === viewer) owner = undefined;
    },
  };
}
