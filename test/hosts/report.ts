/** One thing that was tried on a host. */
export interface CaseResult {
  readonly name: string;
  readonly ok: boolean;
  /** What was seen instead, for a case that is not ok. */
  readonly seen: string;
}

/** Collects the cases of one host version and prints each as it is known. */
export class Cases {
  readonly #host: string;
  readonly #print: (line: string) => void;
  readonly results: CaseResult[] = [];

  constructor(host: string, print: (line: string) => void) {
    this.#host = host;
    this.#print = print;
  }

  /** Records a case; `seen` is printed when it does not hold. */
  check(name: string, ok: boolean, seen: unknown = ""): void {
    const text = typeof seen === "string" ? seen : JSON.stringify(seen);
    this.results.push({ name, ok, seen: text });
    this.#print(`${ok ? "ok" : "not ok"} - ${this.#host}: ${name}`);
    if (!ok && text !== "") this.#print(`  seen: ${text.slice(0, 1_200)}`);
  }

  /** Runs a group of cases; one that throws counts as a failed case of that name. */
  async group(name: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.check(name, false, error instanceof Error ? error.message : String(error));
    }
  }
}

/** The last lines of a run, and whether it passed: a host that could not be had is not a pass. */
export function summary(
  results: readonly CaseResult[],
  notRun: readonly string[],
): { lines: string[]; passed: boolean } {
  const failed = results.filter((result) => !result.ok).length;
  const lines = notRun.map((host) => `not run - ${host}`);
  lines.push(`${results.length - failed} passed, ${failed} failed`);
  return { lines, passed: failed === 0 && notRun.length === 0 && results.length > 0 };
}
