const TRY_AGAIN_MS = 5_000;

/** Does what has to be done in the end, such as after a full disk: tries again until it does not fail. */
export async function keepTrying(work: () => Promise<void>, failed: (error: unknown) => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    failed(error);
    setTimeout(() => void keepTrying(work, failed), TRY_AGAIN_MS).unref();
  }
}
