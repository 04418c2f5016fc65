import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { isatty } from "node:tty";

/** The controlling terminal of a process, whatever its streams are. */
export interface Terminal {
  show(text: string): void;
  /** Returns one line without its end; undefined if none can be read. */
  line(): string | undefined;
  close(): void;
}

/** Longest line to read; a word is far shorter. */
const longest = 1_024;

/** Opens the controlling terminal; undefined for a process that has none. Never the standard streams: those may be anyone's. */
export function controllingTerminal(): Terminal | undefined {
  const [from, to] = process.platform === "win32" ? ["\\\\.\\CONIN$", "\\\\.\\CONOUT$"] : ["/dev/tty", "/dev/tty"];
  const files: number[] = [];
  const close = (): void => {
    for (const file of files) closeSync(file);
  };
  try {
    files.push(openSync(from, process.platform === "win32" ? "r" : "r+"));
    if (to !== from) files.push(openSync(to, "w"));
  } catch {
    close();
    return undefined;
  }
  const [input = 0, output = input] = files;
  if (!isatty(input)) {
    close();
    return undefined;
  }
  return { show: (text) => void writeSync(output, text), line: () => lineOf(input), close };
}

function lineOf(file: number): string | undefined {
  const bytes: number[] = [];
  const one = Buffer.alloc(1);
  try {
    while (bytes.length < longest) {
      if (readSync(file, one, 0, 1, null) === 0) return undefined;
      if (one[0] === 10) return Buffer.from(bytes).toString("utf8").replace(/\r$/, "");
      bytes.push(one[0] as number);
    }
  } catch {
    // A process in the background may not read, and a terminal may go away.
  }
  return undefined;
}
