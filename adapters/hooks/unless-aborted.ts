/** Milliseconds that work has to end by itself after the abort. */
const grace = 1_000;

/**
 * Awaits work. Once the signal is aborted, the work has a second to end by itself; then this rejects with the signal's reason,
 * because a port that ignores the signal must not hold up the run.
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
