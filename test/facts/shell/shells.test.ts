import { describe, expect, it } from "vitest";
import { bash, dotted } from "../effects/judge.ts";

/** Text, commands in the order in which they are found (what is not known is `…`), understanding. */
type Row = readonly [string, readonly string[], string];

describe("shells, their environment and their dialects", () => {
  it.each<Row>([
    ["X=q; bash -c 'touch $X'", ["touch q", "touch"], "opaque"],
    ["X=q bash -c 'touch $X'", ["touch q"], "understood"],
    ["export X=q; bash -c 'touch $X'", ["export X=q", "touch q"], "understood"],
    ["X=q; export X; bash -c 'touch $X'", ["export X", "touch q"], "understood"],
    ["declare -x X=q; sh -c 'touch $X'", ["declare -x X=q", "touch q"], "understood"],
    ["set -a; X=q; sh -c 'touch $X'", ["set -a", "touch q"], "understood"],
    ["X=q; eval 'touch $X'", ["touch q"], "understood"],
    ["X=q; (touch $X)", ["touch q"], "understood"],
    ["X=touch; bash -c '$X q'", ["touch q", "q"], "opaque"],
    ["IFS=,; X=a,b bash -c 'touch $X'", ["touch a,b"], "understood"],
    ["X=q; trap 'touch $X' EXIT", ["touch q"], "understood"],
    ["BASH_ENV=./x bash -c ls", ["source ./x", "ls"], "opaque"],
    ["BASH_ENV=./x; bash -c ls", ["source ./x", "ls"], "opaque"],
    ["ENV=./x sh -c ls", ["source ./x", "ls"], "opaque"],
    ["export BASH_ENV=./x", ["export BASH_ENV=./x"], "opaque"],
    ["LD_PRELOAD=./x.so bash -c ls", ["ls"], "opaque"],
    ["NODE_ENV=test bash -c ls", ["ls"], "understood"],
    ["hash -p /bin/touch x; x q", ["hash -p /bin/touch x", "/bin/touch q", "x q"], "opaque"],
    ["enable -f ./x.so x", ["enable -f ./x.so x"], "opaque"],
    ["enable -n test", ["enable -n test"], "understood"],
    ['set -- touch a; "$@"', ["set -- touch a", "touch a"], "understood"],
    ['set -- a b c; shift; touch "$@"', ["set -- a b c", "shift", "touch b c"], "understood"],
    ["set -- a b c; shift 2; touch $1", ["set -- a b c", "shift 2", "touch c"], "understood"],
    ['set -- a b; touch "$*"', ["set -- a b", "touch a b"], "understood"],
    ["bash -c 'touch \"$1\"' _ q", ["touch q"], "understood"],
    ["n=x; x=touch; ${!n} q", ["touch q"], "understood"],
    ["x='$(touch q)'; echo \"${x@P}\"", ["touch q", "echo "], "understood"],
    ['x=$(cat f); echo "${x@P}"', ["cat f", "eval …", "echo …"], "opaque"],
    ['x=plain; echo "${x@P}"', ["echo plain"], "understood"],
    ["x=a; touch ${x@Q} ${x@U} ${x@L}", ["touch … A a"], "opaque"],
    ["x='a[$(touch q)]'; echo $((x))", ["touch q", "echo …"], "understood"],
    ["x='a[$(touch q)]'; ((x))", ["touch q"], "understood"],
    [
      "x=/a/b.c; touch ${x##*/} ${x%.c} ${x:1:1} ${x/b/d} ${x//\\//_} ${x^^} ${#x}",
      ["touch b.c /a/b a /a/d.c _a_b.c /A/B.C 6"],
      "understood",
    ],
    [
      "touch f$((1+1)) f$((2*3-1)) f$((0x10)) f$((2**4)) f$(( (1+2)*3 )) f$((7/2)) f$((7%4)) f$((1<<3)) f$((5>3))",
      ["touch f2 f5 f16 f16 f9 f3 f3 f8 f1"],
      "understood",
    ],
    ["i=1; touch f$((i+1)) f$(($i*2))", ["touch f2 f2"], "understood"],
    ["x=0; ((x=5)); touch f$x", ["touch f…"], "opaque"],
    ["x=0; echo $((x++)); touch f$x", ["echo …", "touch f…"], "opaque"],
    ["touch f$((1/0)) f$((RANDOM))", ["touch f… f…"], "opaque"],
    ["for ((i=0;i<3;i++)); do touch f$i; done", ["touch f…"], "opaque"],
    ["declare x=touch; $x q", ["declare x=touch", "touch q"], "understood"],
    ["typeset x=touch; $x q", ["typeset x=touch", "touch q"], "understood"],
    ["local x=touch; $x q", ["local x=touch", "… q"], "opaque"],
    ["readonly x=touch; $x q", ["readonly x=touch", "touch q"], "understood"],
    ["declare -l x=TOUCH; $x q", ["declare -l x=TOUCH", "touch q"], "understood"],
    ["declare -u x=q; touch $x", ["declare -u x=q", "touch Q"], "understood"],
    ["declare -i x=1+1; touch f$x", ["declare -i x=1+1", "touch f2"], "understood"],
    ["declare -n r=x; x=touch; r=y; $r q", ["declare -n r=x", "y q"], "opaque"],
    ['declare -a a=(touch q); "${a[@]}"', ["declare -a a=…", "touch q"], "understood"],
    ["printf -v x '%s' touch; $x q", ["printf -v x %s touch", "touch q"], "understood"],
    ["x=tou; x+=ch; $x q", ["touch q"], "understood"],
    ["=touch q", ["=touch q"], "understood"],
    ["noglob touch q", ["touch q"], "understood"],
    ["nocorrect touch q", ["touch q"], "understood"],
    ["- touch q", ["touch q"], "understood"],
    ["echo a >| f", ["echo a"], "understood"],
    ["\\touch q", ["touch q"], "understood"],
    ["command -p touch q", ["touch q"], "understood"],
    ["busybox touch q", ["touch q"], "understood"],
    ["toybox touch q", ["touch q"], "understood"],
    ["/proc/self/root/bin/touch q", ["/proc/self/root/bin/touch q"], "understood"],
    ["/proc/1/root/usr/bin/touch q", ["/proc/1/root/usr/bin/touch q"], "understood"],
    ["/lib64/ld-linux-x86-64.so.2 /bin/touch q", ["/bin/touch q"], "understood"],
    ["/lib/ld-musl-x86_64.so.1 /bin/touch q", ["/bin/touch q"], "understood"],
    ["touch q;", ["touch q"], "understood"],
    ["touch q &", ["touch q"], "understood"],
    ["Remove-Item -Recurse x", ["Remove-Item -Recurse x"], "opaque"],
    ["pwsh -Command 'Remove-Item x'", ["pwsh -Command Remove-Item x"], "opaque"],
    ["fish -c 'ls'", ["fish -c ls", "ls"], "opaque"],
    ["nu -c 'ls'", ["nu -c ls", "ls"], "opaque"],
    ["fish -c 'if a; b; end'", ["fish -c if a; b; end"], "opaque"],
    ["cmd /c 'del x'", ["cmd /c del x"], "opaque"],
  ])("%j runs %j", (command, expected, understanding) => {
    const reading = bash(command);
    expect((reading.shell?.commands ?? []).map((one) => dotted(one.text))).toEqual(expected);
    expect(reading.understanding).toBe(understanding);
  });
});

describe("the dialect comes from the event", () => {
  it.each([
    ["echo *(e:'touch q':)", "zsh", "unknown", "a zsh glob runs code"],
    ["echo *(+run)", "zsh", "unknown", "a zsh glob runs code"],
    ["echo ${(e)x}", "/bin/zsh", "unknown", "zsh flags expand a value once more"],
    ["ls *(.)", "/bin/zsh", "understood", ""],
    ["a=(touch q); $a", "zsh", "understood", ""],
    ["ls", "-bash", "understood", ""],
    ["ls", "", "understood", ""],
    ["ls", "/usr/bin/fish", "unknown", "the shell dialect `fish` is not supported"],
    ["ls", "nu", "unknown", "the shell dialect `nu` is not supported"],
    ["Remove-Item x", "pwsh.exe", "unknown", "the shell dialect `pwsh` is not supported"],
    ["del x", "C:\\Windows\\System32\\cmd.exe", "unknown", "the shell dialect `cmd` is not supported"],
  ])("%j in the shell %j is %s", (command, shell, understanding, reason) => {
    const reading = bash(command, { shell });
    expect([reading.understanding, reading.doubts[0]?.reason ?? ""]).toEqual([understanding, reason]);
  });

  it.each([
    ["a=(touch q); $a", "zsh", "touch q"],
    ["a=(touch q); $a", "bash", "touch"],
    ["a=(ls touch); ${a[2]} q", "zsh", "touch q"],
  ])("%j in %s runs %j", (command, shell, text) => {
    expect(bash(command, { shell }).shell?.commands.map((one) => dotted(one.text))).toEqual([text]);
  });

  it("writes the file behind zsh's `>!`", () => {
    const written = bash("echo a >! f", { shell: "zsh" }).effects?.writes.map((one) => one.path.lexical);
    expect(written).toContain("/home/dev/app/f");
  });

  it("names what a loader variable of a nested shell loads", () => {
    for (const command of ["BASH_ENV=./x bash -c ls", "BASH_ENV=./x; bash -c ls", "LD_PRELOAD=./x sudo bash -c ls"])
      expect(new Set(bash(command).effects?.runs.map((one) => one.target))).toEqual(new Set(["./x"]));
  });
});
