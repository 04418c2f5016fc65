/**
 * Gives the milliseconds of processor time that synchronous `work` takes in this process: what others do on the machine counts
 * for little, as it would not on a clock.
 */
export function cpuTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
