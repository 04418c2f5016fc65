import { describe, expect, it } from "vitest";
import { analyseShell } from "../../../../facts/shell/analyse.ts";
import { lines } from "./shown.ts";

const ground = { cwd: "/w", home: "/home/dev", workspace: "/w", variables: {}, dialect: "bash" };

/** Commands of `touch`, with `!` where they are certain and `?` where they only may be run; the folder where it is another. */
function touched(text: string, dialect = "bash"): readonly string[] {
  const found = lines(analyseShell(text, { ...ground, dialect }))
    .filter((line) => /^(?:\S+: )*touch\b/.test(line.text) || line.text.startsWith("not understood"))
    .map(
      ({ text: line, certain }) =>
        `${certain ? "!" : "?"} ${line.replace(/ @\/w(?= |$)/, "").replace(/^(?:\S+: )+/, "")}`,
    );
  return [...new Set(found)];
}

type Row = readonly [text: string, expected: readonly string[]];

const mark = ["! touch MARK"];
const either = ["? touch MARK", "? touch o"];
const turned = ["? touch o", "? touch MARK"];

describe("variables of a call are its own", () => {
  it.each<Row>([
    ["x=MARK; f() { local x=o; }; f; touch $x", mark],
    ["x=MARK; f() { declare x=o; }; f; touch $x", mark],
    ["x=MARK; f() { typeset x=o; }; f; touch $x", mark],
    ["x=MARK; f() { local x; x=o; }; f; touch $x", mark],
    ["x=MARK; f() { local x=o; g; }; g() { x=p; }; f; touch $x", mark],
    ["x=o; f() { local x=p; g; }; g() { touch $x; }; x=MARK; f", ["! touch p"]],
    ["x=MARK; f() { [ -e a ] && local x=p; x=o; }; f; touch $x", ["? touch MARK", "? touch o"]],
    ["x=o; f() { declare -g x=MARK; }; f; touch $x", mark],
    ["x=o; f() { x=MARK; }; f; touch $x", mark],
    ["x=MARK; (x=o); touch $x", mark],
    ["x=MARK; x=o | true; touch $x", mark],
    ["f() { touch o; }; (f() { touch MARK; }); f", ["! touch o", "? touch MARK"]],
    ["f() { touch MARK; }; if [ -e a ]; then f() { touch o; }; fi; f", ["? touch MARK", "? touch o"]],
    ["f() { set -- o; }; set -- MARK; f; touch $1", mark],
  ])("%j", (text, expected) => {
    expect(new Set(touched(text))).toEqual(new Set(expected));
  });
});

describe("a jump leaves what stands behind it", () => {
  it.each<Row>([
    ["x=MARK; f() { [ -e src ] && return; x=o; }; f; touch $x", either],
    ["x=MARK; f() { if [ -e src ]; then return; fi; x=o; }; f; touch $x", either],
    ["x=MARK; f() { return; x=o; }; f; touch $x", mark],
    ["x=o; for i in 1 2; do x=MARK; break; x=p; done; touch $x", mark],
    ["x=o; for i in 1 2; do [ $i = 1 ] && break; x=MARK; done; touch $x", either],
    ["x=o; while true; do x=MARK; break; done; touch $x", mark],
    ["x=o; for i in 1; do for j in 1; do x=MARK; break 2; done; x=p; done; touch $x", mark],
    ["x=o; for i in 1 2; do x=MARK; continue; x=p; done; touch $x", mark],
    ["x=$(echo MARK; exit; echo o); touch $x", mark],
    ["d=$(for f in MARK o; do echo $f; break; done); touch $d", mark],
    ["x=$(set -e; echo MARK; false; echo o); touch $x", mark],
    ["exit; touch MARK", ["? touch MARK"]],
    ["[ -e a ] && exit; touch MARK", ["? touch MARK"]],
    ["[ -e a ] || exit 1; touch MARK", ["? touch MARK"]],
    ["cp a b || exit 1; touch MARK", mark],
    ["cp a b || { echo no; exit 1; }; touch MARK", mark],
    ["cp a b && touch MARK", mark],
    ["cp a b && touch MARK; ls", ["? touch MARK"]],
    ["set -e; false; touch MARK", ["? touch MARK"]],
    ["set -e; cp a b; touch MARK", mark],
    ["set -e; if false; then :; fi; touch MARK", mark],
    ["set -e; ! true; touch MARK", mark],
    ["set -e; false || x=MARK; touch $x", mark],
    ["x=MARK; set -e; (false; x=o); touch $x", ["? touch MARK"]],
    ["eval 'exit'; touch MARK", ["? touch MARK"]],
  ])("%j", (text, expected) => {
    expect(new Set(touched(text))).toEqual(new Set(expected));
  });
});

describe("success and failure lead where they lead", () => {
  it.each<Row>([
    ["x=MARK; ! true && x=o; touch $x", mark],
    ["x=MARK; mkdir sub && x=o; touch $x", either],
    ["x=MARK; false && x=o; touch $x", mark],
    ["x=MARK; true || x=o; touch $x", mark],
    ["x=MARK; x=$(exit 1) && x=o; touch $x", ["? touch"].slice(1).concat("! touch")],
    ["if true; then x=MARK; else x=o; fi; touch $x", mark],
    ["if false; then x=o; else x=MARK; fi; touch $x", mark],
    ["if [ -e a ]; then x=MARK; else x=o; fi; touch $x", either],
    ["until true; do x=o; done; x=MARK; touch $x", mark],
    ["x=MARK; while false; do x=o; done; touch $x", mark],
    ["case b in a) x=o;; b) x=MARK;; *) x=p;; esac; touch $x", mark],
    ["case ab in a*) x=MARK;; *) x=o;; esac; touch $x", mark],
    ["case a in a) x=o;& b) x=MARK;; esac; touch $x", mark],
    ["case $q in a) x=MARK;; *) x=o;; esac; touch $x", either],
    ["cd nope; touch a", ["? touch a @/w/nope", "? touch a"]],
    ["cd nope && touch a", ["! touch a @/w/nope"]],
    ["cd nope || exit; touch a", ["! touch a @/w/nope"]],
    ["cd /w && touch a; touch b", ["! touch a", "! touch b"]],
    ['cd "$X"; touch a', ["? touch a", "? touch a @"]],
    ["mkdir d; cd d; touch a", ["! touch a @/w/d"]],
    ["CDPATH=p; cd w2 && touch a", ["? touch a @/w/w2", "? touch a @"]],
    ["x=MARK; read x < nothing && x=o; touch $x", ["? touch …", "? touch o"]],
  ])("%j", (text, expected) => {
    expect(new Set(touched(text))).toEqual(new Set(expected));
  });
});

describe("what nobody saw may have changed the shell, which keeps what it was", () => {
  it.each<Row>([
    ["V=o; . ./vars.sh; touch $V", ["? touch o", "? touch …"]],
    ['V=o; eval "$(cat vars.sh)"; touch $V', ["? touch o", "? touch …"]],
    ["V=o; export $(cat vars.sh); touch $V", ["? touch o", "? touch …"]],
    ["V=o; trap 'x=MARK' DEBUG; touch $V", ["? touch o", "? touch …"]],
    ["V=o; $unknown a; touch $V", ["? touch o", "? touch …"]],
    ["V=o; ./unknown a; touch $V", ["! touch o"]],
    ["V=o; . ./vars.sh; V=MARK; touch $V", ["? touch MARK"]],
    ["V=o; . ./vars.sh; cd /w; V=MARK; touch $V", ["! touch MARK"]],
    ["touch $(<name.txt)", ["! touch …"]],
    ["set -- o; . ./vars.sh; touch $1", ["? touch o", "? touch …"]],
    ["V=o; set -k; touch $V", ["? touch o", "? touch …"]],
  ])("%j", (text, expected) => {
    expect(new Set(touched(text).map((line) => line.replace(/^([!?]) touch …$/, "? touch …")))).toEqual(
      new Set(expected.map((line) => line.replace(/^([!?]) touch …$/, "? touch …"))),
    );
  });
});

describe("a function that calls itself, and functions in functions, are followed", () => {
  const chain = Array.from({ length: 12 }, (_, i) => `f${i}() { f${i + 1} $1; }`).join("; ");
  it.each<Row>([
    ['f() { if [ "$1" = a ]; then f b MARK; else touch $2; fi; }; f a o', ["? touch MARK", "? touch …", "? touch o"]],
    [`${chain}; f12() { touch $1; }; f0 MARK`, mark],
    ["f() { touch $1; }; g() { f MARK; }; g", mark],
    ["f() { touch $1; }; f a; f b", ["! touch a", "! touch b"]],
    ["f() { touch MARK; }", ["? touch MARK"]],
  ])("%j", (text, expected) => {
    const found = touched(text);
    for (const line of expected) expect(found).toContain(line);
  });
});

describe("attributes, lists, parameters", () => {
  it.each<Row>([
    ["declare -u x; x=mark; touch $x", mark],
    ["declare -l x=MARK; touch $x", ["! touch mark"]],
    ["declare -n r=x; r=MARK; touch $x", mark],
    ["readonly x=MARK; x=o; touch $x", ["? touch MARK"]],
    ["unset x; touch ${x-MARK}", mark],
    ["x=; touch ${x-o}a", ["! touch a"]],
    ["a=([2]=MARK); touch ${a[2]}", ["? touch MARK", "? touch …"]],
    ["a=(o MARK); touch ${a[1]}", mark],
    ['a=(o MARK); touch "${a[@]}"', ["! touch o MARK"]],
    ["x=MA; x+=RK; touch $x", mark],
    ["a=(o); a+=(MARK); touch ${a[1]}", mark],
    ['set -- sub .. MARK; IFS=/; touch "$*"', ["! touch sub/../MARK"]],
    ["set -- MARK; trap 'touch $1' EXIT", mark],
    ["set -- a MARK; shift $(($#-1)); touch $1", mark],
    ["set -- a MARK; shift; touch $1", mark],
    ["shopt -s nullglob; set -- zzz* MARK; touch $1", ["! touch …"]],
    ["set -- a b; touch ${@:2}", ["! touch b"]],
    ["x=MARK:o; IFS=:; touch $x", ["! touch MARK o"]],
    ["shopt -s lastpipe; x=o; echo MARK | read x; touch $x", mark],
    ["set +B; touch {a,b}", ["! touch {a,b}"]],
    ["x=abc; touch ${x:1} ${x%c} ${x/b/x}", ["! touch bc ab axc"]],
    ["x=aab; touch ${x/+(a)/}", ["! touch …"]],
    ["x=ab; touch ${x/a/&b}", ["! touch …"]],
    ["x='*'; y='a*b'; touch \"${y#\"$x\"}\"", ["! touch a*b"]],
    ["printf -v x '%s' MARK; touch $x", mark],
    ["read a b <<< 'o MARK'; touch $b", mark],
    ["mapfile -t a <<< $'o\\nMARK'; touch ${a[1]}", mark],
    ["while read x; do touch $x; done <<< $'a\\nb'", ["! touch a", "! touch b"]],
    ["echo MARK | while read x; do touch $x; done", mark],
    ["f() { echo MARK; }; touch $(f)", mark],
    ["x=$(if [ -e a ]; then echo MARK; else echo o; fi); touch $x", either],
    ["for f in MARK o; do touch $f; done", ["! touch MARK", "! touch o"]],
    ["i=0; while [ $i -lt 3 ]; do i=$((i+1)); done; touch f$i", ["! touch f…"]],
  ])("%j", (text, expected) => {
    expect(new Set(touched(text).map(unsure))).toEqual(new Set(expected.map(unsure)));
  });
});

/** A word that is not known is never certain to be anything: whether its command surely runs is of no interest here. */
function unsure(line: string): string {
  return line.includes("…") ? line.replace(/^[!?]/, "?") : line;
}

describe("text that the shell reads as an expression, or as a name, is run", () => {
  it.each<Row>([
    [": $((a[$(touch MARK)0]))", mark],
    ["x='a[$(touch MARK)0]'; : $((x))", mark],
    ["x='a[$(touch MARK)0]'; ((x))", mark],
    ["x='a[$(touch MARK)0]'; let x", mark],
    ["x='a[$(touch MARK)0]'; [[ $x -eq 0 ]]", mark],
    ["printf -v 'a[$(touch MARK)0]' o", mark],
    ["read 'a[$(touch MARK)0]' < f", mark],
    ["unset 'a[$(touch MARK)0]'", mark],
    ["declare 'a[$(touch MARK)0]=x'", mark],
    [": ${a[$(touch MARK; echo 0)]}", mark],
    ["printf %d 'a[$(touch MARK)0]'", mark],
    ["PS4='$(touch MARK)'; set -x; :", mark],
    ["set -x; PS4='`touch MARK`'; :", mark],
    ["compgen -C 'touch MARK'", mark],
    ["mapfile -C 'touch MARK' -c 1 < f", mark],
    ["jobs -x touch MARK", mark],
  ])("%j", (text, expected) => {
    const found = touched(text);
    for (const line of expected) expect(found.some((one) => one.slice(2).startsWith(line.slice(2)))).toBe(true);
  });
});

describe("traps run at the end", () => {
  it.each<Row>([
    // A signal may end the shell before the variable is set.
    ["trap 'touch $x' EXIT; x=MARK", ["? touch", "? touch MARK", ...mark]],
    ["trap 'touch $x' EXIT; x=MARK; exit; x=o", ["? touch", "? touch MARK", ...mark]],
    ["trap 'touch $x' EXIT; x=o; kill -TERM $$; x=MARK", ["? touch", "? touch o", "? touch MARK", ...mark]],
    ["trap 'touch o' EXIT INT; trap - EXIT", ["? touch o"]],
    ["trap 'touch o' EXIT; trap - EXIT", []],
    ["trap 'touch o' EXIT; trap 'touch MARK' EXIT", mark],
    ["(trap 'touch MARK' EXIT)", mark],
    ["x=MARK; trap 'touch $x' INT; x=o", turned],
    ["x=$(trap 'echo MARK' EXIT); touch $x", mark],
  ])("%j", (text, expected) => {
    expect(new Set(touched(text))).toEqual(new Set(expected));
  });
});
