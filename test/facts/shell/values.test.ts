import { describe, expect, it } from "vitest";
import { bash, dotted } from "../effects/judge.ts";

/** Text, commands in the order in which they are found (what is not known is `…`), understanding. */
type Row = readonly [string, readonly string[], string];

describe("a variable with a few values is analysed for each of them", () => {
  it.each<Row>([
    ["if test -f a; then p=touch; else p=ls; fi; $p q", ["test -f a", "touch q", "ls q"], "opaque"],
    ["if test -f a; then p=touch; fi; $p q", ["test -f a", "touch q", "q"], "opaque"],
    ["if test -f a; then P=touch; fi; $P q", ["test -f a", "touch q", "… q"], "opaque"],
    [
      "if test -f a; then p=touch; elif test -f b; then p=ls; else p=cat; fi; $p q",
      ["test -f a", "test -f b", "touch q", "ls q", "cat q"],
      "opaque",
    ],
    ["case $1 in a) p=touch;; b) p=ls;; esac; $p q", ["touch q", "ls q", "q"], "opaque"],
    ["test -f a && p=touch; $p q", ["test -f a", "q", "touch q"], "opaque"],
    ["test -f a || p=touch; $p q", ["test -f a", "q", "touch q"], "opaque"],
    ["p=ls; test -f a && p=touch; $p q", ["test -f a", "ls q", "touch q"], "opaque"],
    ["p=ls; test -f a && p=ls; $p q", ["test -f a", "ls q"], "understood"],
    ["npm test && p=bash; $p -c 'touch q'", ["npm test", "touch q"], "opaque"],
    ["npm test && p=bash || p=sh; $p -c 'touch q'", ["npm test", "touch q", "touch q"], "opaque"],
    ["p=ls; while test -f a; do p=touch; done; $p q", ["test -f a", "ls q", "touch q"], "opaque"],
    ["p=ls; while test -f a; do $p q; p=touch; done", ["test -f a", "ls q", "touch q"], "opaque"],
    ["p=ls; until test -f a; do p=$(cat f); done; $p q", ["test -f a", "cat f", "ls q", "… q"], "opaque"],
    ["for i in 1 2; do p=touch$i; done; $p q", ["touch2 q"], "opaque"],
    ["p=a; test -f x && p=b; q=$p/c; touch $q", ["test -f x", "touch a/c", "touch b/c"], "opaque"],
    ['p=a; test -f x && p=b; touch "$p-$p"', ["test -f x", "touch a-a", "touch b-b"], "opaque"],
    [
      "p=a; test -f x && p=b; r=c; test -f y && r=d; touch $p$r",
      ["test -f x", "test -f y", "touch ac", "touch bc", "touch ad", "touch bd"],
      "opaque",
    ],
    ["p=a; test -f x && p=b; touch ${p}1 2>$p.log", ["test -f x", "touch a1", "touch b1"], "opaque"],
    ["p='touch q'; test -f x && p='ls r'; $p", ["test -f x", "touch q", "ls r"], "opaque"],
    ["p='touch q'; test -f x && p='ls r'; eval \"$p\"", ["test -f x", "touch q", "ls r"], "opaque"],
    ["p='touch q'; test -f x && p='ls r'; bash -c \"$p\"", ["test -f x", "touch q", "ls r"], "opaque"],
    [
      "p='touch q'; test -f x && p='ls r'; echo \"$p\" | sh",
      ["test -f x", "echo touch q", "echo ls r", "touch q", "ls r"],
      "opaque",
    ],
    ["p='touch q'; test -f x && p='ls r'; sh <<< \"$p\"", ["test -f x", "touch q", "ls r"], "opaque"],
    [
      "p='touch q'; test -f x && p='ls r'; { cat; } <<< \"$p\" | sh",
      ["test -f x", "cat", "cat", "touch q", "ls r"],
      "opaque",
    ],
    [
      "p=a; test -f x && p=b; for f in $p c; do touch $f; done",
      ["test -f x", "touch a", "touch c", "touch b", "touch c"],
      "opaque",
    ],
    ["p=a; test -f x && p=b; touch {$p,c}", ["test -f x", "touch a c", "touch b c"], "opaque"],
    ["p=a; test -f x && p=b; n=p; touch ${!n}", ["test -f x", "touch a", "touch b"], "opaque"],
    ["p=a; test -f x && p=b; touch ${p^^} ${#p}", ["test -f x", "touch A 1", "touch B 1"], "opaque"],
    ["p=a; test -f x && p=b; f() { touch $1; }; f $p", ["test -f x", "touch a", "touch b"], "opaque"],
    ["p=a; test -f x && p=b; f() { touch $p; }; f", ["test -f x", "touch a", "touch b"], "opaque"],
    ["p=a; test -f x && p=b; p=c; touch $p", ["test -f x", "touch c"], "understood"],
    ["p=a; test -f x && p=$(id -u); touch $p", ["test -f x", "id -u", "touch a", "touch …"], "opaque"],
    ["p=a; (p=b); touch $p", ["touch a"], "understood"],
    ["p=a; { p=b; }; touch $p", ["touch b"], "understood"],
    ["p=a; test -f x && unset p; touch q$p", ["test -f x", "unset p", "touch qa", "touch q"], "opaque"],
    ['a=(ls q); test -f x && a=(touch q); "${a[@]}"', ["test -f x", "ls q", "touch q"], "opaque"],
    [
      "x=$(if test -f a; then echo touch; else echo ls; fi); $x q",
      ["test -f a", "echo touch", "echo ls", "touch q", "ls q"],
      "opaque",
    ],
    [
      "x=$(test -f a && echo touch || echo ls); $x q",
      ["test -f a", "echo touch", "echo ls", "touch q", "ls q"],
      "opaque",
    ],
    ["x=$(case $1 in a) echo touch;; *) echo ls;; esac); $x q", ["echo touch", "echo ls", "touch q", "ls q"], "opaque"],
    [
      `${Array.from({ length: 17 }, (_, i) => `if test -f ${i}; then p=${i}`).join("; el")}; else p=x; fi; touch $p`,
      [...Array.from({ length: 17 }, (_, i) => `test -f ${i}`), "touch …", "touch x"],
      "opaque",
    ],
    ["true && p=touch; $p q", ["true", "touch q"], "understood"],
    ['test -f a && d=build; touch "$d/x"', ["test -f a", "touch /x", "touch build/x"], "opaque"],
    ["test -f a && export p=touch; $p q", ["test -f a", "export p=touch", "q", "touch q"], "opaque"],
    ["test -f a && IFS=,; p=a,b; touch $p", ["test -f a", "touch a,b", "touch a b"], "opaque"],
  ])("%j runs %j", (command, expected, understanding) => {
    const reading = bash(command);
    expect((reading.shell?.commands ?? []).map((one) => dotted(one.text))).toEqual(expected);
    expect(reading.understanding).toBe(understanding);
  });
});

describe("what a subscript runs is walked wherever the subscript stands", () => {
  it.each([
    ["export Y=${X[$(touch q)]}"],
    ["declare X[$(touch q)]=1"],
    ["X=([$(touch q)]=1)"],
    ["echo ${X[$(touch q)]+a} ${X[0]}"],
    ["echo ${X[$(touch q)]/a/b}"],
    ["echo {a,${X[$(touch q)]}}"],
    ['ls > "${X[$(touch q)]}"'],
    ["for i in ${X[$(touch q)]}; do ls; done"],
    ["case a in ${X[$(touch q)]}) ls;; esac"],
    ["f() { echo ${X[$(touch q)]}; }; f"],
    ["i='a[$(touch q)]'; echo ${X[$i]}"],
    ['X=1; echo "${X[$(touch q)]}"'],
  ])("%j runs it", (command) => {
    expect((bash(command).shell?.commands ?? []).map((one) => dotted(one.text))).toContain("touch q");
  });

  it("runs it once for each time that the shell does", () => {
    const { shell } = bash("X=(a b); echo ${X[$(touch q)]}");
    expect(shell?.commands.filter((one) => one.program === "touch").length).toBe(1);
  });
});

describe("a value that may be another by now is not taken for sure", () => {
  it.each([
    ['B=tmp; builtin export "$X"; touch "/$B/a"', ["touch /tmp/a", "touch /…/a"]],
    ['B=tmp; command read "$X"; touch "/$B/a"', ["touch /tmp/a", "touch /…/a"]],
    ['B=tmp; f() { export "$X"; }; f; touch "/$B/a"', ["touch /tmp/a", "touch /…/a"]],
    ['B=tmp; read -r C "$V" <<< "a etc"; touch "/$B/a"', ["touch /tmp/a", "touch /…/a"]],
    ['B=tmp; declare "B$V=etc"; touch "/$B/a"', ["touch /tmp/a", "touch /…/a"]],
    ['B=tmp; declare "C$V=etc"; touch "/$B/a"', ["touch /tmp/a"]],
    ['B=tmp; unset -f "$X"; touch "/$B/a"', ["touch /tmp/a"]],
    ['B=tmp; getopts B V; touch "/$B/a"', ["touch /tmp/a"]],
    ['export "$X"; touch ~/a', ["touch /home/dev/a", "touch …/a"]],
    [". ./e; touch ~/a", ["touch /home/dev/a"]],
    ["echo B=etc > e; B=tmp; . ./e; touch /$B/a", ["touch /etc/a"]],
    ['B=tmp; eval "$X"; touch "/$B/a"', ["touch /tmp/a", "touch /…/a"]],
    ['B=tmp; eval "B=etc"; touch "/$B/a"', ["touch /etc/a"]],
    ['f() { local -n r=$1; r=etc; }; B=tmp; f B; touch "/$B/a"', ["touch /etc/a"]],
    ['f() { local -n r=$1; }; B=tmp; f B; r=etc; touch "/$B/a"', ["touch /tmp/a"]],
    ['x=touch; declare -n r=x; touch "$r"', ["touch touch"]],
    ["PWD=/etc; (cd /tmp; touch $PWD/a); touch $PWD/b", ["touch /tmp/a", "touch /etc/b"]],
    ["PWD=/etc; bash -c 'touch $PWD/a'", ["touch /home/dev/app/a"]],
    ["echo ${!X:-$(touch q)}", ["touch q"]],
  ])("%j touches %j", (command, expected) => {
    const touched = (bash(command).shell?.commands ?? []).filter((one) => one.program === "touch");
    expect(touched.map((one) => dotted(one.text))).toEqual(expected);
  });
});

describe("how sure an alternative is", () => {
  const certain = (command: string): (boolean | undefined)[] =>
    (bash(command).shell?.commands ?? []).map((one) => one.certain);

  it("is certain where it is the only one that runs anything", () => {
    expect(certain("test -f a && p=bash; $p -c 'touch q'")).toEqual([true, true]);
  });

  it("is not certain among others", () => {
    expect(certain("p=ls; test -f a && p=cat; $p q")).toEqual([true, false, false]);
  });

  it("costs no more than the bound when values and loops multiply", () => {
    const sets = Array.from({ length: 40 }, (_, i) => `v${i}=a; test -f x && v${i}=b`).join("; ");
    const all = Array.from({ length: 40 }, (_, i) => `$v${i}`).join("");
    expect(bash(`${sets}; touch ${all}`).shell?.commands.filter((one) => one.program === "touch").length).toBeLessThan(
      65,
    );
    const loops = `${"for i in $v0 $v1; do for j in $v2 $v3; do ".repeat(4)}touch $i$j$v4${"; done; done".repeat(4)}`;
    expect(["opaque", "unknown"]).toContain(bash(`${sets}; ${loops}`).understanding);
  });

  it("adds up over many branches and many printed texts without growing", () => {
    const branches = Array.from({ length: 600 }, (_, i) => `if test ${i}; then p=${i}; echo ${i}; fi`).join("; ");
    expect(bash(`{ ${branches}; } | sh; touch $p`).understanding).not.toBe("understood");
  });
});
