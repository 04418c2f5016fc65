/** Milliseconds that work has to end by itself once it is told to. */
const grace = 1_000;

/**
 * What work comes to. Once the signal is aborted it has a second to end by itself; then this rejects with the signal's reason,
 * because a port that does not look at the signal must not hold the run.
 */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T> | T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let told: () => void = () => undefined;
  const late = new Promise<never>((_, reject) => {
    told = () => {
      timer = setTimeout(() => reject(signal.reason), grace);
    };
  });
  if (signal.aborted) told();
  else signal.addEventListener("abort", told, { once: true });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", told);
  }
}
