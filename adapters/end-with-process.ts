import { ownTerminal, type RawTerminal } from "./raw-terminal.ts";

/** Signals that end a process which does not handle them. The alarm signal is not among them: a timer must end a process that hangs. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

type Signal = (typeof signals)[number];

/** The parts of the process that tests replace. */
export interface EndingProcess {
  readonly pid: number;
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  listeners(event: string): readonly unknown[];
  kill(pid: number, signal: Signal): unknown;
}

/** Marks listeners of this module, from any copy of the package. */
const ours = Symbol.for("hookwarden: ends with the process");

/** Counters of the library `signal-exit`, versions 4 and 3; its listeners wait for others as ours do. */
export interface WaitingPlaces {
  readonly global: object;
  readonly process: object;
}

/**
 * Ends things when this process ends, by itself or by a signal. Programs run in their own process groups, so Ctrl+C at the
 * terminal and the end of this process do not reach them. A signal with another listener belongs to that listener, which
 * ends the process or goes on. It listens only while there is something to end, except in a process whose terminal is raw:
 * there Node would no longer restore it.
 */
export class EndsWithProcess {
  readonly #host: EndingProcess;
  readonly #places: WaitingPlaces;
  readonly #terminal: RawTerminal;
  readonly #ends = new Set<() => void>();
  readonly #heard = new Map<Signal, () => void>();
  #listens = false;

  constructor(
    host: EndingProcess = process,
    places: WaitingPlaces = { global: globalThis, process },
    terminal: RawTerminal = ownTerminal,
  ) {
    this.#host = host;
    this.#terminal = terminal;
    this.#places = places;
    for (const signal of signals)
      this.#heard.set(
        signal,
        Object.assign(() => this.#hear(signal), { [ours]: true }),
      );
  }

  /** Registers `end` to be called when the process ends; returns a function that unregisters it. */
  add(end: () => void): () => void {
    const entry = (): void => end();
    if (!this.#listens) this.#listen();
    this.#ends.add(entry);
    return () => {
      if (this.#ends.delete(entry) && this.#ends.size === 0 && !this.#terminal.isRaw()) this.#stop();
    };
  }

  #listen(): void {
    this.#listens = true;
    this.#host.on("exit", this.#endAll);
    for (const [signal, heard] of this.#heard) this.#host.on(signal, heard);
  }

  #stop(): void {
    this.#listens = false;
    this.#host.off("exit", this.#endAll);
    for (const [signal, heard] of this.#heard) this.#host.off(signal, heard);
  }

  readonly #endAll = (): void => {
    for (const end of this.#ends) end();
    this.#ends.clear();
  };

  #hear(signal: Signal): void {
    const others = this.#host.listeners(signal).filter((listener) => !isOurs(listener)).length;
    if (others > waiting(this.#places)) return;
    this.#endAll();
    this.#stop();
    this.#terminal.restore();
    this.#host.kill(this.#host.pid, signal);
  }
}

function isOurs(listener: unknown): boolean {
  return typeof listener === "function" && ours in listener;
}

/** Counts the listeners of each signal that only wait for others. */
function waiting({ global, process }: WaitingPlaces): number {
  const four = (global as Record<symbol, { readonly count?: unknown } | undefined>)[Symbol.for("signal-exit emitter")];
  const three = (process as { readonly __signal_exit_emitter__?: { readonly count?: unknown } })
    .__signal_exit_emitter__;
  return counted(four?.count) + counted(three?.count);
}

function counted(count: unknown): number {
  return typeof count === "number" ? count : 0;
}

/** The instance of this process. */
export const endsWithProcess = new EndsWithProcess();
