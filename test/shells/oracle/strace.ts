/** The name of every script's folder: scripts are judged as if all ran in this one. */
export const scratch = "/w/s";

/** Where a script begins. */
export const start = `${scratch}/p/q`;

/** How a process touched a file or an address. `list` is a folder that was opened, `run` a file that was executed. */
export type TouchKind = "read" | "write" | "delete" | "run" | "list" | "connect";

/** One touch, or an attempt at it that failed. */
export interface Touch {
  readonly kind: TouchKind;
  /** Absolute path by the words of the process, or `host:port`. */
  readonly path: string;
  /** The real path behind a descriptor, where the trace has it. */
  readonly real: string;
  /** False for an attempt that failed. */
  readonly done: boolean;
}

/** The end of one program of a script. */
export interface Ended {
  readonly program: string;
  readonly status: number;
}

/** The observed actions of the processes of one script. */
export interface Trace {
  readonly touches: readonly Touch[];
  readonly ended: readonly Ended[];
}

interface MutableTrace {
  readonly touches: Touch[];
  readonly ended: Ended[];
}

interface Process {
  cwd: string;
  /** The script that it belongs to. */
  script: string | undefined;
  program: string;
}

/** Calls that only name a path to change it, by the place of that path among their texts. */
const changing: ReadonlyMap<string, number> = new Map([
  ...["mkdir", "mknod", "truncate", "chmod", "chown", "lchown", "utime", "utimes", "creat"].map(
    (name) => [name, 0] as const,
  ),
  ...["mkdirat", "mknodat", "fchmodat", "fchownat", "utimensat", "futimesat", "fchmod", "fchown", "ftruncate"].map(
    (name) => [name, 0] as const,
  ),
]);

/**
 * Reads what `strace -f -y` wrote about a batch, script by script. A script is known by the path that `timeout` is given
 * (`/batch/in/<name>`); its processes are those that descend from there.
 */
export function readTrace(text: string): ReadonlyMap<string, Trace> {
  const lines = wholeLines(text);
  const parents = new Map<string, string>();
  for (const { pid, call, result } of lines)
    if (/^(?:clone3?|v?fork)$/.test(call) && /^\d+$/.test(result)) parents.set(result, pid);
  const reader = new TraceReader(parents);
  for (const line of lines) reader.read(line);
  return reader.traces;
}

interface Line {
  readonly pid: string;
  readonly call: string;
  readonly args: string;
  readonly result: string;
}

/** Lines with their call, arguments and result; calls that another process interrupts are put together. */
function wholeLines(text: string): Line[] {
  const begun = new Map<string, string>();
  const lines: Line[] = [];
  for (const line of text.split("\n")) {
    const at = line.indexOf(" ");
    if (at <= 0) continue;
    const pid = line.slice(0, at);
    let rest = line.slice(at).trimStart();
    if (rest.endsWith("<unfinished ...>")) {
      begun.set(pid, rest.slice(0, -"<unfinished ...>".length).trimEnd());
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(rest);
    if (resumed) {
      rest = (begun.get(pid) ?? "") + rest.slice(resumed[0].length);
      begun.delete(pid);
    }
    const found = /^(\w+)\((.*)\) += (.*)$/s.exec(rest);
    if (found) lines.push({ pid, call: found[1] ?? "", args: found[2] ?? "", result: found[3] ?? "" });
  }
  return lines;
}

class TraceReader {
  readonly traces = new Map<string, MutableTrace>();
  private readonly processes = new Map<string, Process>();
  private readonly parents: ReadonlyMap<string, string>;

  constructor(parents: ReadonlyMap<string, string>) {
    this.parents = parents;
  }

  /** A process begins where its parent is and belongs to the same script. */
  private process(pid: string): Process {
    const known = this.processes.get(pid);
    if (known) return known;
    const parent = this.parents.get(pid);
    const from = parent === undefined ? undefined : this.process(parent);
    const made = { cwd: from?.cwd ?? "/", script: from?.script, program: from?.program ?? "" };
    this.processes.set(pid, made);
    return made;
  }

  read({ pid, call, args, result }: Line): void {
    const process = this.process(pid);
    const here = /AT_FDCWD<([^>]*)>/.exec(args)?.[1];
    if (here) process.cwd = unescaped(here);
    const done = !result.startsWith("-1");
    const texts = [...args.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, quoted = ""]) => unescaped(quoted));
    if (call === "exit_group") this.ended(process, Number.parseInt(args, 10));
    else if (call === "execve") this.executed(process, texts, done);
    else if (call === "chdir") this.moved(process, texts[0] ?? ".", done);
    else if (call === "fchdir" && done) process.cwd = unescaped(/<([^>]*)>/.exec(args)?.[1] ?? "") || process.cwd;
    else if (call === "connect") this.connected(process, args);
    else this.named(process, call, args, texts, result);
  }

  private ended(process: Process, status: number): void {
    if (process.script !== undefined && process.program !== "timeout")
      this.of(process.script).ended.push({ program: process.program, status });
  }

  private executed(process: Process, texts: readonly string[], done: boolean): void {
    const [path = "", ...words] = texts;
    const script = words.find((word) => word.startsWith("/batch/in/"));
    if (path === "/h/timeout" && script) process.script = script.slice("/batch/in/".length);
    if (done) process.program = path.slice(path.lastIndexOf("/") + 1);
    this.add(process, "run", absolute(path, process.cwd), undefined, done);
  }

  private moved(process: Process, path: string, done: boolean): void {
    if (done) process.cwd = absolute(path, process.cwd);
    else if (process.script !== undefined) this.of(process.script).ended.push({ program: "cd", status: 1 });
  }

  private connected(process: Process, args: string): void {
    const port = /sin6?_port=htons\((\d+)\)/.exec(args)?.[1];
    const host = /inet_addr\("([^"]*)"\)|inet_pton\(AF_INET6, "([^"]*)"/.exec(args);
    if (port && process.script !== undefined)
      this.of(process.script).touches.push({
        kind: "connect",
        path: `${host?.[1] ?? host?.[2] ?? ""}:${port}`,
        real: "",
        done: true,
      });
  }

  private named(process: Process, call: string, args: string, texts: readonly string[], result: string): void {
    const done = !result.startsWith("-1");
    const folders = [...args.matchAll(/(?:^|, )(?:AT_FDCWD|\d+)<([^>]*)>/g)].map(([, path = ""]) => unescaped(path));
    const place = (text: string | undefined, folder: string | undefined): string =>
      text === undefined ? stripped(folder ?? "") : absolute(text, folder ?? process.cwd);
    if (call === "open" || call === "openat" || call === "creat") {
      const real = unescaped(/<([^>]*)>/.exec(result)?.[1] ?? "") || undefined;
      for (const kind of opening(call, args)) this.add(process, kind, place(texts[0], folders[0]), real, done);
    } else if (call.startsWith("rename")) {
      this.add(process, "delete", place(texts[0], folders[0]), undefined, done);
      this.add(process, "write", place(texts[1], folders[1] ?? folders[0]), undefined, done);
    } else if (call === "symlink" || call === "symlinkat")
      this.add(process, "write", place(texts[1], folders[0]), undefined, done);
    else if (call === "link" || call === "linkat")
      this.add(process, "write", place(texts[1], folders[1] ?? folders[0]), undefined, done);
    else if (call.startsWith("unlink") || call === "rmdir")
      this.add(process, "delete", place(texts[0], folders[0]), undefined, done);
    else if (changing.has(call)) this.add(process, "write", place(texts[0], folders[0]), undefined, done);
  }

  private add(process: Process, kind: TouchKind, path: string, real: string | undefined, done: boolean): void {
    const own = `/w/${process.script}/`;
    if (process.script === undefined || !path.startsWith(own)) return;
    const told = (place: string): string => (place.startsWith(own) ? `${scratch}/${place.slice(own.length)}` : place);
    this.of(process.script).touches.push({ kind, path: told(path), real: told(stripped(real ?? path)), done });
  }

  private of(script: string): MutableTrace {
    let trace = this.traces.get(script);
    if (!trace) {
      trace = { touches: [], ended: [] };
      this.traces.set(script, trace);
    }
    return trace;
  }
}

/** Tells how an open call touches a file, by its flags. A folder is listed; a file opened for both counts as written. */
function opening(call: string, args: string): readonly TouchKind[] {
  if (call === "creat") return ["write"];
  if (/\bO_PATH\b/.test(args)) return [];
  if (/\bO_DIRECTORY\b/.test(args)) return ["list"];
  return /\bO_(?:WRONLY|RDWR|CREAT|TRUNC)\b/.test(args) ? ["write"] : ["read"];
}

function stripped(path: string): string {
  return path.endsWith(" (deleted)") ? path.slice(0, -" (deleted)".length) : path;
}

/** An absolute path without `.`, `..` and empty names. */
function absolute(path: string, cwd: string): string {
  const names: string[] = [];
  for (const name of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", v: "\v", f: "\f" };

/** A text as strace writes it: octal numbers and the escapes of C. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{1,3}|.)/g, (_, one: string) =>
    /^[0-7]/.test(one) ? String.fromCharCode(Number.parseInt(one, 8)) : (escapes[one] ?? one),
  );
}
