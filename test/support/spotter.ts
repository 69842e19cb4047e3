/** Tells whether a text has come by in a stream of chunks, wherever it stands and however it was cut. */
export function createSpotter(text: string) {
  let tail = Buffer.alloc(0);
  let isSpotted = false;
  return {
    feed(bytes: Uint8Array): boolean {
      const joined = Buffer.concat([tail, bytes]);
      isSpotted ||= joined.includes(text);
      tail = joined.subarray(-text.length);
      return isSpotted;
    },
  };
}
