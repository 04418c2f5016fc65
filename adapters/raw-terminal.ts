import { isatty } from "node:tty";

/** The mode of a process's terminal. */
export interface RawTerminal {
  /** True while the process reads single keys, so that Ctrl+C is a key. */
  isRaw(): boolean;
  restore(): void;
}

/**
 * The terminal on standard input. Node restores it when a signal ends the process, but only if nobody has ever listened to
 * that signal. So whoever listens and then lets the signal end the process restores it first.
 */
export const ownTerminal: RawTerminal = {
  isRaw: () => isatty(0) && process.stdin.isRaw === true,
  restore: () => {
    try {
      if (ownTerminal.isRaw()) process.stdin.setRawMode(false);
    } catch {
      // A terminal that went away has no mode.
    }
  },
};
