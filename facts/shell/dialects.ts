import { bareShell, bourneShells } from "../../schema/shells.ts";

/** Returns the dialect of a shell by its path or name. Dialects that the bash grammar reads are named like their shell. */
export function dialectOf(shell: string): string {
  return bareShell(shell);
}

/** True for a dialect that the bash grammar reads; PowerShell, cmd, fish, nu and the like are only recognised. */
export function isBourne(dialect: string): boolean {
  return dialect === "" || bourneShells.has(dialect);
}

/** True for a zsh glob with a qualifier that runs code: `*(e:…:)`, `*(+name)`. The grammar takes it for a plain glob. */
export function runsCode(glob: string): boolean {
  return /^[*?@+!]?\([^|]{0,16}?(?:e[:'"{[(<]|\+[A-Za-z_])/.test(glob);
}

/** True for a word with zsh flags that expand a value again: `${(e)x}`, `${(%)x}`. Other shells refuse them. */
export function expandsAgain(raw: string): boolean {
  return /\$\{\([^)]{0,32}[e%]/.test(raw);
}
