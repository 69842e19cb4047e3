import { createKeyedQueue } from "../keyed-queue.ts";

/** Runs one thing at a time for each path, in order. */
export const withLock = createKeyedQueue().run;
