const begin = process.hrtime();

/** Returns the milliseconds since this module started, by a monotonic clock. The platform's `performance` takes a hook too long to load. */
export function elapsed(): number {
  const [seconds, nanoseconds] = process.hrtime(begin);
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
