import { command, type FactCall, type FactShape, joined } from "./shape.ts";

/** A text that a longer one nearly holds at each of its places. */
const nearly = (length: number): string => `aaaaaaaaaab${"a".repeat(length)}`;

/** Two long values, and as many uses of both as the rest has room for: each use looks for one in the other. */
function between(name: string, use: string, one = "a", other: (length: number) => string = nearly): FactShape {
  return {
    name: `searches: ${name}`,
    product: true,
    of: (length): FactCall => {
      const [x, y] = [one.repeat(length / 3), other(length / 6)];
      return command(`x='${x}'; y='${y}'; ${joined(length / 2, () => `${use}; `)}`);
    },
  };
}

/** A text that is looked for in another, a list in a list, a class or range for each character. */
export const searches: readonly FactShape[] = [
  between("a value replaced in a value", "z=${x//$y/c}"),
  between("a value replaced once", "z=${x/$y/c}"),
  between("a replaced value that is used", 'cat "${x//$y/c}"'),
  between("a value that grows where it stands", "z=${x//a/$y}"),
  between("a value replaced by sed", 'echo "$x" | sed "s/$y/c/g" | sh'),
  between("a mount in words", 'docker run -v "/a:/$y" image cat "$x"'),
  between("a name beside a name", 'find . -name "*$y*" -name "$x" -delete'),
  between("a place for arguments", 'echo "$x" | xargs -I"$y" cat "$x"'),
  between("places for one argument", 'echo "$x" | xargs -I{} cat "$y"', "a", (length) => "{}".repeat(length / 2)),
  between("values cut by open classes", "z=${x#$y}", "[", (length) => "[".repeat(length)),
  between("cases with open classes", "case $x in $y) ls;; esac", "[", (length) => `${"[".repeat(length)}b`),
  between("cases with stars", "case $x in $y) ls;; esac", "a", (length) => "*a".repeat(length / 2)),
  between("fields in ranges", 'echo "$x" | cut -d " " -f "$y" | sh', "a ", (length) => `${"1,".repeat(length / 2)}9`),
  between(
    "fields beyond ranges",
    'echo "$x" | cut -d " " -f "$y"',
    "a ",
    (length) => `${"99999-,".repeat(length / 7)}9`,
  ),
  between("separators", 'IFS="$y" read -r a b <<< "$x"', "a", (length) => "b".repeat(length)),
  between("words between separators", "IFS=$y; cat $x", "a", (length) => "b".repeat(length)),
  between("characters of sets", 'echo "$x" | tr "$y" b | sh', "a", (length) => "a-z".repeat(length / 3)),
  between("records between delimiters", 'mapfile -d "$y" a <<< "$x"; cat "${a[@]}"'),
  between("tags of SQL", 'psql -c "$x $y"', "$a", (length) => "$a$".repeat(length / 3)),
];
