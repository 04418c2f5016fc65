import type * as NodeCrypto from "node:crypto";

/** What the launcher gives its program in place of what a module has by itself. */
export interface Launched {
  /** URL of the launcher's file. */
  readonly url: string;
  /** `import()`, from where the launcher is. */
  importModule(name: string): Promise<unknown>;
  /** `node:crypto`, or what is as good. */
  readonly crypto: typeof NodeCrypto;
  /** Why every call is refused, where the place of the launcher is not as it was installed. */
  readonly refuse?: string;
}

/** The program's file is the text of such a function; calling it begins the hook. */
export type Program = (require: NodeJS.Require, launched: Launched) => void;
