import type { About } from "./functions/about.ts";
import { convertAbout } from "./functions/convert.about.ts";
import { factAbout } from "./functions/fact.about.ts";
import { listAbout } from "./functions/list.about.ts";
import { mathAbout } from "./functions/math.about.ts";
import { sessionAbout } from "./functions/session.about.ts";
import { stringAbout } from "./functions/string.about.ts";
import { timeAbout } from "./functions/time.about.ts";
import { operatorAbout } from "./operators/operators.about.ts";

/** All overloads that share a name and a form of call. */
export interface Callable {
  readonly name: string;
  /** Family, so that `any.<family>` is the dispatcher for dyn arguments. */
  readonly family: string;
  readonly method: boolean;
  readonly overloads: readonly About[];
}

/** Every `about` by family, for the checker, the reference and the test that runs the examples. */
export const families: Readonly<Record<string, readonly About[]>> = {
  ...operatorAbout,
  ...stringAbout,
  ...listAbout,
  ...mathAbout,
  ...factAbout,
  ...sessionAbout,
  ...timeAbout,
  ...convertAbout,
};

const byName: { readonly true: Map<string, Callable>; readonly false: Map<string, Callable> } = {
  true: new Map(),
  false: new Map(),
};

for (const [family, abouts] of Object.entries(families)) {
  for (const about of abouts) {
    const table = byName[`${about.method}`];
    const before = table.get(about.name);
    table.set(about.name, {
      name: about.name,
      family,
      method: about.method,
      overloads: [...(before?.overloads ?? []), about],
    });
  }
}

/** Returns the overloads of a name called as a method or as a function; undefined if there are none. */
export function callable(name: string, method: boolean): Callable | undefined {
  return byName[`${method}`].get(name);
}

/** Names that may be called as a method or as a function, without operators. */
export function callableNames(method: boolean): readonly string[] {
  return [...byName[`${method}`].keys()].filter((name) => /^[a-z]/.test(name));
}
