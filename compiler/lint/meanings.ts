import { subcommandPaths } from "./subcommand-paths.ts";

/** Words of one meaning: an author who knows one program writes its word for another. */
const subcommandWords: readonly string[] = [
  "remove delete destroy uninstall rm del erase drop purge",
  "publish deploy push upload",
];

const optionWords: readonly string[] = [
  "--insecure --no-check-certificate --no-verify-ssl --insecure-skip-tls-verify --skip-tls-verify --no-check-ssl",
  "--force --yes --assume-yes --auto-approve --no-confirm --noconfirm --no-prompt --non-interactive --skip-confirmation",
  "--recursive --recurse",
  "--dry-run --simulate --what-if --just-print --no-act",
];

/** Lists the words of the same meaning as one, by the groups of a table. */
function sameMeaning(word: string, groups: readonly string[]): readonly string[] {
  const group = groups.find((line) => line.split(" ").includes(word));
  return group === undefined ? [] : group.split(" ").filter((other) => other !== word);
}

/**
 * Returns the program's own word for a subcommand that no table has, e.g. `volume rm` for `volume delete` of Docker. Managers of
 * packages share one table, and pip alone has no `remove`.
 */
export function subcommandMeant(program: string, name: string): string | undefined {
  const words = name.split(" ");
  const last = words.pop() ?? "";
  const { begun } = subcommandPaths(program);
  return sameMeaning(last, subcommandWords)
    .map((other) => [...words, other].join(" "))
    .find((path) => begun.has(path) && !(path === "remove" && program.startsWith("pip")));
}

/** Returns the first of a program's options that means the same as one that no table has for it. */
export function optionMeant(name: string, names: readonly string[]): string | undefined {
  return sameMeaning(name, optionWords).find((other) => names.includes(other));
}
