/** Shells that read the language of bash, or nearly so. */
export const bourneShells: ReadonlySet<string> = new Set("bash sh dash zsh ksh mksh ash rbash yash".split(" "));

/** Names of shells; others may be one too. */
export const knownShells: ReadonlySet<string> = new Set([
  ...bourneShells,
  ..."fish csh tcsh nu pwsh powershell cmd xonsh elvish ion murex osh hush oksh rc".split(" "),
]);

/** Returns the bare name of a shell by its path or name: base name, lower case, without a login dash and `.exe`. */
export function bareShell(shell: string): string {
  if (bourneShells.has(shell)) return shell;
  const base = shell.split(/[\\/]/).at(-1) ?? "";
  return base
    .toLowerCase()
    .replace(/^-/, "")
    .replace(/\.exe$/, "");
}
