import type { Field } from "../shell/fields.ts";
import { familyOf } from "../shell/names.ts";
import { archivePrograms } from "./archives.ts";
import { builtinPrograms } from "./builtins.ts";
import { cloudPrograms } from "./cloud.ts";
import { containerPrograms } from "./containers.ts";
import { credentialPrograms } from "./credentials.ts";
import { sqlPrograms } from "./databases.ts";
import { declaredAlias, declaredRow } from "./declared.ts";
import { downloadPrograms } from "./downloaders.ts";
import { editorPrograms } from "./editors.ts";
import { filePrograms } from "./files.ts";
import { git } from "./git.ts";
import { hookwardenProgram } from "./hookwarden.ts";
import { infrastructurePrograms } from "./infrastructure.ts";
import { interpreterPrograms } from "./interpreters.ts";
import { kubernetesPrograms } from "./kubernetes.ts";
import { languagePackages } from "./language-packages.ts";
import { multiplexerPrograms } from "./multiplexers.ts";
import { networkPrograms } from "./network.ts";
import { otherVersionControl } from "./other-vcs.ts";
import { packagePrograms } from "./packages.ts";
import { privilegePrograms } from "./privileges.ts";
import type { Program } from "./program.ts";
import { publishingPrograms } from "./publishing.ts";
import { storePrograms } from "./stores.ts";
import { systemPrograms } from "./system.ts";
import { textPrograms } from "./text.ts";
import { toldPrograms } from "./told-texts.ts";
import { transferPrograms } from "./transfers.ts";
import type { Wrapper } from "./wrapper.ts";
import { builtInWrapper, wrapperNames, wrapperOf } from "./wrappers.ts";

/** Version of the rows: changes with every change in the effects that they report; part of plans and audit records. */
export const programsVersion = "14";

const byName: ReadonlyMap<string, Program> = new Map(
  [
    ...builtinPrograms,
    ...filePrograms,
    ...archivePrograms,
    ...textPrograms,
    ...networkPrograms,
    ...transferPrograms,
    ...downloadPrograms,
    ...interpreterPrograms,
    ...multiplexerPrograms,
    ...editorPrograms,
    ...toldPrograms,
    ...packagePrograms,
    ...languagePackages,
    ...publishingPrograms,
    ...systemPrograms,
    ...privilegePrograms,
    ...credentialPrograms,
    ...containerPrograms,
    ...kubernetesPrograms,
    ...infrastructurePrograms,
    ...cloudPrograms,
    ...sqlPrograms,
    ...storePrograms,
    ...otherVersionControl,
    git,
    hookwardenProgram,
  ].flatMap((row) => row.names.map((name) => [name, row] as const)),
);

/** Finds the row of a program in the tables, then among the declared ones; undefined for an unknown program. */
export function programOf(name: string): Program | undefined {
  return builtInRow(name) ?? declaredRow(name);
}

/** Finds the row of a program in the tables; undefined for any other program. */
export function builtInRow(name: string): Program | undefined {
  const found = byName.get(name);
  if (found) return found;
  const family = familyOf(name);
  return family === name ? undefined : byName.get(family);
}

/**
 * Returns the wrapper of a program word, by the tables and the policies' declarations; undefined if it is none. An alias that
 * names a program of the tables counts as both programs, so that a table that grows hides nothing from either's rules.
 */
export function wrapperAt(head: Field, program: string, cwd: string): Wrapper | undefined {
  const alias = declaredAlias(head, program, cwd);
  if (!alias) return program === "" ? undefined : wrapperOf(program);
  const wrapper = builtInWrapper(program);
  return wrapper || builtInRow(program) ? both(wrapper, alias) : alias;
}

function both(wrapper: Wrapper | undefined, alias: Wrapper): Wrapper {
  return {
    names: alias.names,
    unwrap(args, input) {
      const inner = alias.unwrap(args, input)?.inner ?? [];
      const plain = wrapper?.unwrap(args, input);
      return plain ? { ...plain, inner: [...plain.inner, ...inner] } : { self: true, inner };
    },
  };
}

/** True for a program with a row or a wrapper. */
export function isKnown(name: string): boolean {
  return programOf(name) !== undefined || wrapperOf(name) !== undefined;
}

/** Every name in the tables, for a program word that is a glob. */
export const knownNames: readonly string[] = [...new Set([...byName.keys(), ...wrapperNames])];

const forwarded: ReadonlySet<string> = new Set(
  "rm rmdir unlink shred truncate mv dd chmod chown chgrp find xargs sudo doas env nohup eval sh bash zsh dash ksh curl wget git kill pkill killall mkfs fdisk shutdown reboot psql scp rsync nc busybox rimraf hookwarden hookwarden-hook claude codex gemini opencode copilot cursor-agent".split(
    " ",
  ),
);

/** True for programs worth looking for among the words of an unknown program that may run them. */
export function isForwarded(name: string): boolean {
  return forwarded.has(name) || forwarded.has(familyOf(name));
}
