const TRY_AGAIN_MS = 5_000;

/** For work that must get done eventually, for example after a full disk: tries again until it succeeds. */
export async function keepTrying(work: () => Promise<void>, failed: (error: unknown) => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    failed(error);
    setTimeout(() => void keepTrying(work, failed), TRY_AGAIN_MS).unref();
  }
}
