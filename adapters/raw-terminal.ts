import { isatty } from "node:tty";

/** The terminal of a process, as far as its mode goes. */
export interface RawTerminal {
  /** True while keys come as they are typed, and Ctrl+C is a key. */
  isRaw(): boolean;
  restore(): void;
}

/**
 * The terminal on standard input. Node restores it where a signal ends a process in which nobody has ever listened to that
 * signal, and no more once somebody has: whoever listens and then lets the signal end the process restores it first.
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
