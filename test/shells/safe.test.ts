import { describe, expect, it } from "vitest";
import { seed } from "../properties/seed.ts";
import { generate } from "./classes/classes.ts";
import { refusal } from "./sandbox/safe.ts";
import { printScript } from "./tree/print.ts";

/** Texts that may never run, by why. They are data: nothing here hands one to a shell. */
const refused: readonly (readonly [string, string])[] = [
  ["rm o", "word"],
  ["rm -rf /", "word"],
  ["r''m o", "word"],
  ["\\rm o", "word"],
  ["r\\m o", "word"],
  ['r""m o', "word"],
  ["unlink o", "word"],
  ["dd if=src.txt of=o", "word"],
  ["find . -delete", "word"],
  ["python3 -c x", "word"],
  ["curl harness.example", "word"],
  ["$'\\x72\\x6d' o", "escape"],
  ["$'\\162\\155' o", "escape"],
  ["echo -e '\\x72'", "escape"],
  ["printf '\\162'", "escape"],
  ["$'\\u0072m' o", "escape"],
  ["touch /MARK", "slash"],
  ["touch /etc/MARK", "word"],
  ["cat /dev/sub", "slash"],
  ["echo t > /dev/tcp/harness.example/22", "slash"],
  ["echo t > /tmp", "word"],
  ["touch //MARK", "slash"],
  ["touch $x/MARK", "slash"],
  ['touch "$x"/MARK', "slash"],
  ['touch "${x:-/}"MARK', "slash"],
  ["x=/; touch $x", "slash"],
  ["cd /", "slash"],
  ["cp src.txt sub/../../../o", "slash"],
  ["touch new/sub/MARK", "slash"],
  ["touch ~n/MARK", "slash"],
  ['echo t > "/"o', "slash"],
  ["touch sub/'../..'/o", "slash"],
  ["cd ..; cd ..; cd ..", "climb"],
  ["for i in 1 2 3; do cd ..; done", "climb"],
  ["while true; do pushd ..; done", "climb"],
  ["trap 'cd ..' DEBUG; :; :; :", "climb"],
  ["kill -TERM 1", "signal"],
  ["kill %1", "signal"],
  ["kill -USR1 $$ 1", "signal"],
  ["kill $x", "signal"],
  ["touch M\u00c4RK", "ASCII"],
  ["touch MARK\u0000", "ASCII"],
  ["touch MARK\r", "ASCII"],
];

/** Texts that may run. */
const allowed: readonly string[] = [
  'x=MARK; touch "$x"',
  "cp src.txt sub/MARK; cat < ./src.txt > ../o",
  'touch "./$x" ./$x/MARK "./$DEST/MARK"',
  "echo t > /dev/null 2> /dev/stderr",
  "exec 3<> /dev/tcp/harness.example/8080",
  "x=${x//M/o}; y=${a[@]/#X/MA}; z=${x/%K}",
  'IFS=/\ntouch "$*"',
  "sed s/t/u/ src.txt > o",
  "touch {a..c} MARK{1..3}",
  "kill -USR1 $$",
  "y=$(pwd)\ncd sub\ntouch $y/MARK",
  "touch $'\\115ARK'",
  "eval 'echo '\\''MARK'\\'''",
];

describe("the check of a script's text", () => {
  it.each(refused)("refuses %j", (text, why) => {
    expect(refusal(text)).toMatch(new RegExp(why));
  });

  it("refuses a text of any length", () => {
    expect(refusal(`touch ${"MARK ".repeat(2_000)}`)).toMatch(/longer/);
  });

  it.each(allowed)("lets %j pass", (text) => {
    expect(refusal(text)).toBeUndefined();
  });

  it("lets every generated script pass, of this run's seed too", () => {
    for (const from of [1, seed % 1_000_000])
      for (const { class: own, script } of generate(from, 2_000, () => true))
        expect([from, own.id, refusal(printScript(script))]).toEqual([from, own.id, undefined]);
  });
});
