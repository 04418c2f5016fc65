/** Dialects that the bash grammar reads, by the name of their shell. */
const bourne: ReadonlySet<string> = new Set("bash sh dash zsh ksh mksh ash rbash yash".split(" "));

/** Returns the dialect of a shell by its path or name: base name, lower case, without a login dash and `.exe`. */
export function dialectOf(shell: string): string {
  if (bourne.has(shell)) return shell;
  const base = shell.split(/[\\/]/).at(-1) ?? "";
  return base
    .toLowerCase()
    .replace(/^-/, "")
    .replace(/\.exe$/, "");
}

/** True for a dialect that the bash grammar reads; PowerShell, cmd, fish, nu and the like are only recognised. */
export function isBourne(dialect: string): boolean {
  return dialect === "" || bourne.has(dialect);
}

/** True for a zsh glob with a qualifier that runs code: `*(e:…:)`, `*(+name)`. The grammar takes it for a plain glob. */
export function runsCode(glob: string): boolean {
  return /^[*?@+!]?\([^|]{0,16}?(?:e[:'"{[(<]|\+[A-Za-z_])/.test(glob);
}

/** True for a word with zsh flags that expand a value again: `${(e)x}`, `${(%)x}`. Other shells refuse them. */
export function expandsAgain(raw: string): boolean {
  return /\$\{\([^)]{0,32}[e%]/.test(raw);
}
