import { appendFileSync, writeFileSync } from "node:fs";
import type { Reporter, TestModule, TestSpecification } from "vitest/node";

/** A line of the journal: the files that a run will test, one that begins, or the result of one, as in Vitest's JSON report. */
export type JournalLine =
  | { readonly planned: readonly string[] }
  | { readonly began: string }
  | { readonly ended: FileResult };

/** The result of a test file. */
export interface FileResult {
  /** Absolute path of the file. */
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages?: readonly string[] | null | undefined;
  }[];
}

/** Writes the result of each test file when it ends, so that a run that hangs leaves the results of all other files. */
export class Journal implements Reporter {
  private readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    writeFileSync(this.path, "");
    this.write({ planned: specifications.map(({ moduleId }) => moduleId) });
  }

  /** A worker takes a file, before it loads it. */
  onTestModuleQueued(module: TestModule): void {
    this.write({ began: module.moduleId });
  }

  onTestModuleEnd(module: TestModule): void {
    const assertionResults = [...module.children.allTests()].map((test) => {
      const { state, errors } = test.result();
      return { fullName: test.fullName, status: state, failureMessages: errors?.map(({ message }) => message) };
    });
    const message = module.errors()[0]?.message ?? "";
    this.write({ ended: { name: module.moduleId, status: module.state(), message, assertionResults } });
  }

  private write(line: JournalLine): void {
    appendFileSync(this.path, `${JSON.stringify(line)}\n`);
  }
}
