import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { classes, fullRun, generate } from "./classes/classes.ts";
import { readBaseline } from "./report.ts";
import { builtins, setOptions, shellOptions } from "./tree/names.ts";
import { printScript } from "./tree/print.ts";

const quota = (prefix: string): readonly number[] =>
  classes.filter(({ id }) => id.startsWith(prefix)).map((one) => one.quota);
const texts = generate(20261126, fullRun, () => true).map(
  ({ class: own, script }) => [own.id, printScript(script)] as const,
);

describe("the classes", () => {
  it("have every builtin and option of the manual, at least 50 scripts each", () => {
    for (const [group, list] of [
      ["builtin", builtins],
      ["set", setOptions],
      ["shopt", shellOptions],
    ] as const) {
      expect(
        classes
          .filter(({ id }) => id.startsWith(`${group}: `))
          .map(({ id }) => id.slice(group.length + 2))
          .sort(),
      ).toEqual([...list].sort());
      expect(Math.min(...quota(`${group}: `))).toBeGreaterThanOrEqual(50);
    }
    expect(
      Math.min(...["compound: ", "redirection: ", "expansion: ", "launch: "].flatMap(quota)),
    ).toBeGreaterThanOrEqual(50);
  });

  it("have at least 2,000 scripts of flow, scope, attributes and expansion, and 5 of each pair", () => {
    for (const group of ["flow", "scope", "attributes"])
      expect(classes.find(({ id }) => id === group)?.quota).toBeGreaterThanOrEqual(2_000);
    expect(quota("expansion: ").reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(2_000);
    const pairs = classes.filter(({ id }) => id.includes(" + "));
    expect(pairs).toHaveLength(45);
    expect(Math.min(...pairs.map((one) => one.quota))).toBeGreaterThanOrEqual(5);
    expect(fullRun).toBeGreaterThanOrEqual(20_000);
  });

  it("name each construct in the scripts of its class", () => {
    for (const [id, text] of texts) {
      const [, group, name = ""] = /^(builtin|set|shopt): (.*)$/.exec(id) ?? [];
      if (group !== undefined && !/^(?:\.|:|\[|bg|fg|compopt|unalias|true|false)$/.test(name))
        expect([id, text.includes(name)]).toEqual([id, true]);
    }
  });

  it("are the same for the same seed, class by class", () => {
    const some = generate(5, 500, () => true).filter(({ class: own }) => own.id === "scope");
    expect(generate(5, 500, ({ id }) => id === "scope").map(({ script }) => script)).toEqual(
      some.map(({ script }) => script),
    );
    expect(generate(6, 500, ({ id }) => id === "scope")[0]?.script).not.toEqual(some[0]?.script);
  });

  it("come to scripts that mostly differ", () => {
    expect(new Set(texts.map(([id, text]) => id.split(":")[0] + text)).size).toBeGreaterThan(0.9 * texts.length);
  });
});

/** Every root of wrong or missing effects that was found before this harness was, by what a script of it looks like. */
const roots: Readonly<Record<string, RegExp>> = {
  "local leaks": /\blocal x=/,
  "declare in a function": /f\(\) \{\n(?:declare|typeset) x=/,
  "return in a branch": /&& return/,
  "break in a branch": /&& break/,
  "exit in a substitution": /\$\(echo MARK; (?:[^)]*; )?exit;/,
  "errexit in a substitution": /\$\(set -e; echo/,
  "a folder that is there": /mkdir sub && x=/,
  "a folder that is not": /cd nope\n/,
  "not before &&": /! true; \} && x=/,
  "content of a file": /\$\(< name\.txt\)/,
  recursion: /f b MARK/,
  "deep calls": /h\(\) \{\nmain "\$1"/,
  "unknown code, sourced": /\. \.\/vars\.sh\ntouch "\$x"/,
  "unknown code, evaluated": /eval "\$\(cat vars\.sh\)"/,
  "unknown assignments": /export \$\(cat vars\.sh\)/,
  "code from standard input": /\. \/dev\/stdin <<</,
  "a trap for DEBUG": /trap 'x=[^']*' DEBUG/,
  "arithmetic of let": /\blet y\b/,
  "arithmetic of test -v": /test -v "\$y"/,
  "arithmetic of a subscript": /\$\{a\[\$\(touch/,
  PS4: /PS4=':? ?\$?\(?[^\n]*touch/,
  "mapfile -C": /(?:mapfile|readarray) -C/,
  "compgen -C": /compgen -C 'touch MARK'/,
  "a hashed command": /hash -p \.\/run\.sh/,
  "declare -u": /declare -u x\nx=mark/,
  "a nameref": /-n y=x\ny=/,
  unset: /unset x\n[^\n]*\$\{x-MARK\}/,
  "env -u": /env -u x sh -c/,
  "a sparse array": /a=\(\[2\]=/,
  "append to an array": /x=\(MA\)\nx\+=RK/,
  "joined arguments": /IFS=\/\n[^\n]*"\$\*"/,
  "arguments of a trap": /set -- [^\n]*\ntrap '[^']*"\$1"'/,
  "shift by a count": /shift \$\(\(\(\$#\) - \(1\)\)\)/,
  nullglob: /shopt -s nullglob\nset -- zzz\* MARK/,
  readonly: /readonly x=/,
  lastpipe: /shopt -s lastpipe\necho [^\n]* \| read x/,
  CDPATH: /CDPATH=w2/,
  "cd -P": /cd -P l/,
  "prefix before a special builtin": /x=[^ ]* (?:eval|:)/,
  "braces off": /set \+B\ntouch \{MARK,o\}/,
  "status of an assignment": /[xz]=\$\(exit 1\) && /,
  extglob: /\$\{x(?:#|##|\/|\/\/)\+\(x\)/,
  nocasematch: /shopt -s nocasematch/,
  "characters of printf": /printf %\.4s/,
  "a cut echo": /MARK\\c/,
  "long escapes": /U0000004dARK/,
  xpg_echo: /shopt -s xpg_echo\ny=\$\(echo/,
  "echo of another shell": /echo '\\115ARK'/,
  BASH_ENV: /BASH_ENV=vars\.sh bash/,
  "an exported function": /export -f f/,
  "set -k": /set -k/,
};

describe("the generator reaches", () => {
  it.each(Object.entries(roots))("%s", (_, pattern) => {
    expect(texts.some(([, text]) => pattern.test(text))).toBe(true);
  });
});

describe("the baseline on record", () => {
  it("has every class at its full number of scripts", () => {
    const { cases, figures } = readBaseline(readFileSync(join(import.meta.dirname, "baseline.tsv"), "utf8"));
    expect(cases).toBe(fullRun);
    expect(new Map([...figures].map(([id, { scripts }]) => [id, scripts]))).toEqual(
      new Map(classes.map(({ id, quota: full }) => [id, full])),
    );
  });
});
