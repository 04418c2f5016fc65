import type * as NodeCrypto from "node:crypto";

/**
 * The programs that a package is made of: `hook` has what a hook needs, `hosts` what else hosts load into their own process
 * and what judges behind them, `rest` the compiler, the command line and what applications import. Each takes modules of
 * those before it from there.
 */
export type ProgramName = "hook" | "hosts" | "rest";

/** Gives what a module exports, by its program and the path of its source; it begins when it is first asked for. */
export type ModulesOf = (program: ProgramName, module: string) => unknown;

/** A launcher's replacements for what a module has by itself. */
export interface Launched {
  /** URL of the launcher's file, which is in the folder of the programs. */
  readonly url: string;
  /** `import()`, from where the launcher is. */
  importModule(name: string): Promise<unknown>;
  /** `node:crypto`, or what is as good. */
  readonly crypto: typeof NodeCrypto;
  /** Why every call is refused, where the place of the launcher is not as it was installed. */
  readonly refuse?: string;
  /** True where the program of hooks answers no hook: somebody takes modules from it. */
  readonly asModules?: boolean;
  /** The modules of each program that has begun. */
  readonly begun: Partial<Record<ProgramName, (module: string) => unknown>>;
  /** Modules of all programs; where nothing but a hook was begun, the first that asks sets it (`modules.ts`). */
  module?: ModulesOf;
}

/** A program's file is the text of such a function; calling it begins the program. */
export type Program = (require: NodeJS.Require, launched: Launched) => void;
