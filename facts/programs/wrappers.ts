import { familyOf } from "../shell/names.ts";
import { codeWrappers } from "./code/wrappers.ts";
import { codeRunners } from "./code-runners.ts";
import { containerWrappers } from "./container-wrappers.ts";
import { sqlWrappers } from "./databases.ts";
import { declaredWrapper } from "./declared.ts";
import { editorWrappers } from "./editors.ts";
import { forwarders } from "./forwarders.ts";
import { gitRunner } from "./git-runners.ts";
import { launchers } from "./launchers.ts";
import { optionRunners } from "./option-runners.ts";
import { packageRunners } from "./package-runners.ts";
import { remoteWrappers } from "./remote-wrappers.ts";
import { runners } from "./runners.ts";
import { shellWrappers } from "./shells.ts";
import { toldWrappers } from "./told-texts.ts";
import type { Wrapper } from "./wrapper.ts";

const byName: ReadonlyMap<string, Wrapper> = new Map(
  [
    ...forwarders,
    ...launchers,
    ...optionRunners,
    ...toldWrappers,
    ...editorWrappers,
    ...runners,
    ...remoteWrappers,
    ...containerWrappers,
    ...sqlWrappers,
    ...shellWrappers,
    ...packageRunners,
    ...codeRunners,
    ...codeWrappers,
    gitRunner,
  ].flatMap((wrapper) => wrapper.names.map((name) => [name, wrapper] as const)),
);

/** Returns the wrapper of that name from the tables, then from the policies' declarations; undefined if there is none. */
export function wrapperOf(program: string): Wrapper | undefined {
  return builtInWrapper(program) ?? declaredWrapper(program);
}

/** Returns the wrapper of that name from the tables; undefined if there is none. */
export function builtInWrapper(program: string): Wrapper | undefined {
  const found = byName.get(program);
  if (found) return found;
  const family = familyOf(program);
  return family === program ? undefined : byName.get(family);
}

/** Names with a wrapper in the tables, without the families of names that `wrapperOf` also accepts. */
export const wrapperNames: readonly string[] = [...byName.keys()];
