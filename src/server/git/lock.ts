import { createKeyedQueue } from "../keyed-queue.ts";

/** One at a time per repository, in the order of asking. */
export const withLock = createKeyedQueue().run;
