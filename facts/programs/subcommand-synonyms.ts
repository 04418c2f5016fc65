/**
 * Words that select the very same subcommand, by program: what one does, each of the line does, whatever its options. Only
 * full synonyms stand here. Source: the help of each program (`helm uninstall --help`: "Aliases: …").
 */
const lines: readonly (readonly [programs: string, synonyms: readonly string[]])[] = [
  ["helm", ["uninstall delete del un", "list ls", "dependency dep", "pull fetch"]],
  [
    "npm",
    [
      "install i add in ins inst",
      "ci clean-install ic install-clean",
      "uninstall un remove rm r unlink",
      "update up upgrade",
      "run run-script",
      "exec x",
      "test t tst",
      "view info show v",
    ],
  ],
  ["pnpm", ["install i", "remove rm uninstall un", "update up upgrade", "run run-script", "list ls"]],
  ["bun", ["install i", "add a", "remove rm"]],
  ["cargo", ["build b", "run r", "test t", "check c", "remove rm", "doc d"]],
  ["composer", ["install i", "require r", "update u upgrade", "remove rm uninstall"]],
  ["brew", ["uninstall remove rm", "list ls", "info abv", "doctor dr"]],
  ["conda mamba", ["remove uninstall", "update upgrade"]],
  ["flatpak", ["uninstall remove"]],
  [
    "svn",
    ["commit ci", "checkout co", "delete del remove rm", "move mv rename ren", "copy cp", "update up", "switch sw"],
  ],
  ["hg", ["commit ci", "remove rm", "rename move mv", "copy cp", "update up checkout co"]],
  ["pulumi", ["up update", "destroy down dn", "preview pre"]],
];

const byProgram: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> = new Map(
  lines.flatMap(([programs, synonyms]) => {
    const words = new Map(
      synonyms.flatMap((line) => {
        const all = line.split(" ");
        return all.map((word) => [word, all.filter((other) => other !== word)] as const);
      }),
    );
    return programs.split(" ").map((name) => [name, words] as const);
  }),
);

/** Returns the other words for a subcommand of a program; empty where there are none. */
export function subcommandSynonyms(program: string, subcommand: string): readonly string[] {
  return byProgram.get(program)?.get(subcommand) ?? [];
}

/** Returns the table as pairs of a program and the words for one of its subcommands. */
export function allSubcommandSynonyms(): readonly (readonly [program: string, words: readonly string[]])[] {
  return lines.flatMap(([programs, synonyms]) =>
    programs.split(" ").flatMap((name) => synonyms.map((line) => [name, line.split(" ")] as const)),
  );
}
