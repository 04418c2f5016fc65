const begin = process.hrtime();

/** Milliseconds since this module began, by a clock that only goes on. The platform's `performance` takes a hook a while to load. */
export function elapsed(): number {
  const [seconds, nanoseconds] = process.hrtime(begin);
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
