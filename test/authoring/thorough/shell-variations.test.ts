import { describe, expect, it } from "vitest";
import { type VariationName, variationNames } from "../../../authoring/thorough/variation.ts";
import { Counted, fasterThanLinear } from "../../work.ts";
import { all, variationsOf } from "./variations-of.ts";

/** A command, a way to write it otherwise, and what that gives: every spelling, in order. None where it cannot be made. */
type Case = readonly [command: string, way: VariationName, ...expected: string[]];

const sameCall: readonly Case[] = [
  ["rm -r build/out", "quotes", "'r'm '-r' 'build/out'"],
  ["rm \"old files\" 'a'", "quotes", "'r'm 'old files' \"a\""],
  ["echo it\\'s $HOME *.md", "quotes", "'e'cho 'it'\\''s' $HOME *.md"],
  ["cat ~/a.txt", "quotes", "'c'at ~/a.txt"],
  ["cp {a,b} c", "quotes", "'c'p {a,b} 'c'"],
  ["A=1 make && make test > log", "quotes", "A=1 'm'ake && 'm'ake 'test' > log"],
  ["w", "quotes", "'w'"],
  ["rm -r build", "program path", "/usr/bin/rm -r build"],
  ["cd a && rm b", "program path", "cd a && /usr/bin/rm b"],
  ["sudo rm b", "program path", "/usr/bin/sudo rm b"],
  ["cd a", "program path"],
  ["./run.sh a", "program path"],
  ["$P a", "program path"],
  ["f() { ls; }; f", "program path", "f() { /usr/bin/ls; }; f"],
  ["rm b", "env prefix", "env LC_ALL=C rm b"],
  ["A=1 rm b | tee c", "env prefix", "A=1 env LC_ALL=C rm b | env LC_ALL=C tee c"],
  ["export A=1", "env prefix"],
  ["if ls; then rm b; fi", "env prefix", "if env LC_ALL=C ls; then env LC_ALL=C rm b; fi"],
  ["rm 'a b'", "bash -c", "bash -c 'rm '\\''a b'\\'''"],
  ['run "$@"', "bash -c"],
  ["run $1", "bash -c"],
  ["rm b", "sudo sh -c", "sudo sh -c 'rm b'"],
  ["diff <(sort a) <(sort b)", "sudo sh -c", "sudo bash -c 'diff <(sort a) <(sort b)'"],
  ["rm {a,b}", "sudo sh -c", "sudo bash -c 'rm {a,b}'"],
  ["rm ~/b", "sudo sh -c"],
  ['rm "$HOME/b"', "sudo sh -c"],
  ["rm b", "subshell", "(rm b)"],
  ["rm b # later", "subshell", "(rm b # later\n)"],
  ["(rm b)", "subshell", "( (rm b))"],
  ["cat <<E > a\nb\nE", "subshell", "(cat <<E > a\nb\nE\n)"],
  ["rm b", "list", "true && rm b"],
  ["rm b; rm c", "list", "true && { rm b; rm c\n}"],
  ["sleep 1 &", "list", "true && { sleep 1 &\n}"],
  ["rm b", "cd same", "cd ../app && rm b"],
  ["ls | wc", "cd same", "cd ../app && { ls | wc\n}"],
  ["rm -r build/out", "cd there", "cd /home/dev/app/build && rm -r out"],
  ["cp a/b c/d", "cd there", "cd /home/dev/app/a && cp b ../c/d"],
  ["cp -r a/b/. c/", "cd there", "cd /home/dev/app/a && cp -r b/. ../c/"],
  ["cp -r a/b .", "cd there"],
  ["cat /etc/hosts", "cd there", "cd /etc && cat hosts"],
  ["cat ~/notes/a", "cd there", "cd /home/dev/notes && cat a"],
  ["rm b", "cd there", "cd /home/dev && rm app/b"],
  ["git push origin main", "cd there"],
  ["rm b > log", "cd there"],
  ["ln -s a b/c", "cd there"],
  ["./bin/rm b/c", "cd there"],
  ["cat /etc/hosts", "link", "cat linked/hosts"],
  ["cat /etc/*.conf", "link"],
  ["rm -r build/out", "link"],
  ["rm b | ls", "known program", 'P=rm; P2=ls; "$P" b | "$P2"'],
  ["rm b; rm c", "known program", 'P=rm; "$P" b; "$P" c'],
  ["echo $P; rm b", "known program", 'P_=echo; P_2=rm; "$P_" $P; "$P_2" b'],
  ["cd a", "known program"],
  ["rm -r build 'a b'", "known words", 'V=-r; V2=build; V3=\'a b\'; rm "$V" "$V2" "$V3"'],
  ["cp a a", "known words", 'V=a; cp "$V" "$V"'],
  ["cat ~/a *.md $B", "known words", 'V=~/a; cat "$V" *.md $B'],
  ["alias l=ls", "known words"],
  ["make", "known words"],
];

const openCall: readonly Case[] = [
  ["rm a b", "unknown path", 'rm "$X" b', 'rm a "$X"'],
  ["rm -r src/*", "unknown path", "rm -r $X"],
  ["cat ~/a", "unknown path", 'cat "$X"'],
  ["sudo rm a", "unknown path", 'sudo rm "$X"'],
  ["bash -c 'rm a'", "unknown path"],
  ["git push origin main", "unknown operand", 'git push "$X" main', 'git push origin "$X"'],
  ["echo 'a $X' y", "unknown operand", 'echo "$X_" y', `echo 'a $X' "$X_"`],
  ["echo $X y", "unknown operand"],
  ["[ -f a ] && b", "unknown operand", '[ -f "$X" ] && b'],
  ["psql --command='select 1' app", "unknown value", 'psql --command="$X" app'],
  ["find . -name a -delete", "unknown value", 'find . -name "$X" -delete'],
  ["git push origin main", "unknown subcommand", 'git "$X" origin main'],
  ["ls", "unknown subcommand"],
  ["rm a", "unknown program", '"$X" a'],
  ["rm a; rm b", "unknown program"],
  ["rm -r migrations/old", "from above", "rm -r migrations"],
  ["rm -r migrations", "from above", "rm -r ."],
  ["rm -r .", "from above", "rm -r .."],
  ["rm -r ../../a", "from above", "rm -r ../.."],
  ["rm -r ~/a", "from above", "rm -r ~"],
  ["rm -r ~", "from above", "rm -r /home"],
  ["rm -r /srv/www/*", "from above", "rm -r /srv/www"],
  ["rm -r src/*/a", "from above"],
  ["rm -r 'a b/c'", "from above", "rm -r 'a b'"],
  ["rm a/b", "from above"],
  ["cp -r a/b c/d", "from above", "cp -r a c/d"],
  ["chmod -R u+x bin/a", "from above", "chmod -R u+x bin"],
];

describe.each([
  ["the same call", sameCall],
  ["a call that tells less or takes more", openCall],
])("%s", (_, cases) => {
  it.each(cases)("%s, %s", (command, way, ...expected) => {
    const made = variationsOf(command).filter(({ name }) => name === way);
    expect(made.map(({ text }) => text)).toEqual(expected);
  });
});

describe("what is left open", () => {
  it("is a program and a subcommand only for a rule that looks at them, and nothing for a rule on text", () => {
    const ways = (looks: Parameters<typeof variationsOf>[1]) =>
      new Set(variationsOf("git push origin main", looks).map(({ name }) => name));
    expect(ways({ ...all, fields: new Set() })).not.toContain("unknown program");
    expect(ways({ ...all, fields: new Set() })).not.toContain("unknown subcommand");
    expect(ways({ ...all, fields: new Set() })).toContain("unknown operand");
    expect([...ways({ ...all, means: false })].filter((name) => name.startsWith("unknown"))).toEqual([
      "unknown program",
    ]);
  });

  it("is a folder above only for effects that the rule looks at", () => {
    const reads = { ...all, kinds: new Set(["reads"]) };
    expect(variationsOf("rm -r a/b", reads).map(({ name }) => name)).not.toContain("from above");
    expect(variationsOf("grep -r x a/b", reads).map(({ name }) => name)).toContain("from above");
  });
});

describe("a long text", () => {
  const text = (count: number): string => `rm -r ${"a/b ".repeat(count)}`;

  it("gives few spellings", () => {
    const made = variationsOf(text(4_000));
    expect(made.filter(({ name }) => name === "unknown path")).toHaveLength(8);
    expect(made.length).toBeLessThan(40);
  });

  it("takes work by its length", () => {
    const counted = new Counted<typeof import("./variations-of.ts")>("test/authoring/thorough/variations-of.ts");
    try {
      const work = (count: number): number => counted.blocks(() => counted.modules.variationsOf(text(count)));
      expect(fasterThanLinear(work, 250)).toBeUndefined();
    } finally {
      counted.end();
    }
  });
});

describe("what cannot be written otherwise", () => {
  it.each(["", "# nothing", "if then", "echo 'open"])("is not: %j", (text) => {
    expect(variationsOf(text)).toEqual([]);
  });

  it("has links only with the files that they lead to", () => {
    const [link] = variationsOf("cat /etc/hosts").filter(({ name }) => name === "link");
    expect(link?.files).toEqual({ "/home/dev/app/linked": { symlink: "/etc" }, "/etc": { directory: true } });
    const others = variationsOf("cat /etc/hosts").filter(({ name }) => name !== "link");
    expect(others.every(({ files }) => files === undefined)).toBe(true);
  });

  it("leaves no way without a row of these tables, but for those of tools", () => {
    const seen = new Set([...sameCall, ...openCall].map(([, way]) => way));
    expect(variationNames.filter((name) => !seen.has(name))).toEqual(["other form", "dots"]);
  });
});
