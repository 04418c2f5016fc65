import type * as NodeCrypto from "node:crypto";

/**
 * The programs of the package. `hook` has the modules of a hook. `hosts` adds those that hosts load into their own process
 * and those of the judge process. `rest` adds the compiler, the command line and the modules that applications import. Each
 * takes modules from the programs before it.
 */
export type ProgramName = "hook" | "hosts" | "rest";

/** Returns the exports of a module, by its program and the path of its source; the program starts on first use. */
export type ModulesOf = (program: ProgramName, module: string) => unknown;

/** Values that a launcher passes to its programs in place of a module's own, and the state that they share. */
export interface Launched {
  /** URL of the launcher's file, which is in the folder of the programs. */
  readonly url: string;
  /** `import()`, from where the launcher is. */
  importModule(name: string): Promise<unknown>;
  /** `node:crypto` or an equivalent. */
  readonly crypto: typeof NodeCrypto;
  /** Why every call is refused, if the launcher's place has changed since the install. */
  readonly refuse?: string;
  /** True if the hook program is loaded only for its modules and answers no hook. */
  readonly asModules?: boolean;
  /** The modules of each program that has begun. */
  readonly begun: Partial<Record<ProgramName, (module: string) => unknown>>;
  /** Access to the modules of all programs; if only a hook was started, the first request sets it (`modules.ts`). */
  module?: ModulesOf;
}

/** A program's file is the text of such a function; calling it starts the program. */
export type Program = (require: NodeJS.Require, launched: Launched) => void;
