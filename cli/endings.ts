/** Signals by which a human, or the system in the human's name, ends a command that waits. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Calls `end` when the process is told to end, and returns a function that stops listening. If the terminal went away, the
 * process ends by that signal once the command is done: Node itself would abort, because it cannot restore such a terminal.
 */
export function onEnding(end: () => void): () => void {
  const heard = (signal: NodeJS.Signals): void => {
    if (signal === "SIGHUP") process.once("exit", leave);
    end();
  };
  const stop = (): void => {
    for (const signal of signals) process.off(signal, heard);
  };
  const leave = (): void => {
    stop();
    process.kill(process.pid, "SIGHUP");
  };
  for (const signal of signals) process.on(signal, heard);
  return stop;
}
