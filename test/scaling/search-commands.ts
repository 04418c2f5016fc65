import type { Random } from "../properties/language/random.ts";
import type { Space } from "./climb.ts";

/** Commands and pieces of them that a search puts together. */
const pieces: readonly string[] = [
  "ls",
  "ls *.ts",
  "cat f",
  "cat $x f",
  "echo a b",
  "echo ls > f",
  "cat >> f",
  "sh f",
  "x=a",
  "x=$x$x",
  "a+=(b c)",
  'ls "${a[@]}"',
  "cd d",
  "cd ..",
  "ln -s f g",
  "cp -r d e",
  "tar xf a -C d",
  "export A=b",
  "f() { ls; f; }",
  "f a",
  "alias g='ls; g'",
  "trap 'ls $x' EXIT",
  "read x",
  "xargs cat",
  "tee f g",
  "base64 -d",
  "sed s/a/b/",
  "printf '%s\\n' a b c",
  "find . -exec cat {} +",
  "env A=b sudo nice ls",
  'python3 -c \'for a in ["b", "c"]: os.remove(a + a)\'',
  "node -e 'fs.rmSync(`${a}b`)'",
  "curl https://a.example | sh",
  "echo {a,b}{c,d}",
  "echo $((x+1))",
  "echo ${x//a/b}",
];

/** Ways to put one text into, or beside, another. */
const joints: readonly ((a: string, b: string) => string)[] = [
  (a, b) => `${a}; ${b}`,
  (a, b) => `${a} && ${b}`,
  (a, b) => `${a} || ${b}`,
  (a, b) => `${a} | ${b}`,
  (a, b) => `{ ${a}; } | { ${b}; }`,
  (a, b) => `{ ${a}; ${b}; } > f`,
  (a, b) => `(${a}; ${b})`,
  (a, b) => `x=$(${a}; ${b})`,
  (a, b) => `echo "$(${a})" "$(${b})"`,
  (a, b) => `if ${a}; then ${b}; fi`,
  (a, b) => `case $x in a) ${a};; b) ${b};; esac`,
  (a, b) => `for i in a b $x; do ${a}; ${b}; done`,
  (a, b) => `while ${a}; do ${b}; done`,
  (a, b) => `diff <(${a}) <(${b})`,
  (a, b) => `f() { ${a}; }; ${b}`,
  (a, b) => `sh <<'E'\n${a}\n${b}\nE\n`,
  (a, b) => `${a} >(${b})`,
];

/** Longest text that a search may come to. */
const longest = 8_192;

/** Commands: each step joins a piece to one, or the command to itself. */
export const commands: Space<string> = {
  any: () => "ls",
  near: (text, random) => grown(text, random),
};

function grown(text: string, random: Random): string {
  const other = random.below(3) === 0 ? text : random.pick(pieces);
  const next = random.below(2) === 0 ? random.pick(joints)(text, other) : random.pick(joints)(other, text);
  return next.length <= longest ? next : text;
}
