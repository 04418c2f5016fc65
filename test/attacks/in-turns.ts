/** Does the work of each, a few at once: every run has a scratch folder and a scripted model of its own. */
export async function inTurns<T>(all: readonly T[], width: number, work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: width }, lane));
}
