import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MixEvent, MixRule } from "./mix.ts";

/** What an engine says of a call under rules that only block. */
export type Verdict = "allow" | "block";

/** An engine with the rules loaded: everything that can be done before the first call is done. */
export interface Decider {
  /** A decision on one call, which is in the engine's own form already. */
  for(event: MixEvent): () => Verdict | Promise<Verdict>;
}

/** An engine that decisions are compared with. */
export interface Peer {
  readonly name: string;
  /** The package that it is, for its version. */
  readonly package?: string;
  load(rules: readonly MixRule[]): Decider | Promise<Decider>;
}

const modules = join(import.meta.dirname, "../../../node_modules");

/** The name of an engine with the version that is installed. */
export function versioned({ name, package: from }: Peer): string {
  if (from === undefined) return name;
  const { version } = JSON.parse(readFileSync(join(modules, from, "package.json"), "utf8")) as { version: string };
  return `${name} ${version}`;
}
