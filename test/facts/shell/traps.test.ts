import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanPath } from "../../../facts/shell/directories.ts";
import { bash } from "../effects/judge.ts";

/** Text, and the paths that it deletes. */
type Row = readonly [string, readonly string[]];

const deleted = (text: string): readonly string[] =>
  (bash(text).effects?.deletes ?? []).map(({ path }) => path.lexical);

/** Texts that wait for the end of their shell, judged with what their variables become. Source: threats page, class 4. */
describe("a text for the end of the shell", () => {
  it.each<Row>([
    ["trap 'rm -r \"$d\"' EXIT; d=$(mktemp -d); ls", ["/tmp/tmp.*"]],
    ["trap 'rm -r \"$d\"' INT TERM 0; d=/tmp/x", ["/tmp/x"]],
    ["d=/tmp/x; trap 'rm -r \"$d\"' EXIT", ["/tmp/x"]],
    ["trap 'rm -r \"$d/\"' EXIT; d=/tmp/x", ["/", "/tmp/x"]],
    ["trap 'rm -r \"$d\"' EXIT; d=/srv; exit; d=/tmp/x", ["/srv"]],
    ["d=/srv; trap 'rm -r \"$d\"' EXIT; d=/tmp/x", ["/srv", "/tmp/x"]],
    ["trap 'rm -r x' EXIT; cd /srv", ["/home/dev/app/x", "/srv/x"]],
    ['trap tidy EXIT; tidy() { rm -r "$d"; }; d=/srv', ["/srv"]],
    ["trap 'rm -r \"$d\"' EXIT; f() { d=/srv; exit; }; f; d=/tmp/x", ["/srv"]],
    ["trap 'rm -r \"$d\"' EXIT; eval 'd''=/srv'; d=/tmp/x", ["/srv", "/tmp/x"]],
    ["trap 'eval \"rm -r \\$$n\"' EXIT; n=d; d=/srv", ["/srv"]],
    ["trap 'rm -r \"${!n}\"' EXIT; n=d; d=/srv", ["/srv"]],
    ["trap 'rm -r \"$d\"' EXIT; if ls; then d=/srv; else d=/tmp/x; fi", ["/srv", "/tmp/x"]],
    ["bash -c 'trap \"rm -r \\$d\" EXIT; d=/srv'", ["/srv"]],
    ["sh -c \"$(trap 'echo rm -r /srv' EXIT)\"", ["/srv"]],
    ["(trap 'echo rm -r /srv' EXIT) | sh", ["/srv"]],
    ["d=/srv; trap 'rm -r \"$d\"' DEBUG; d=/tmp/x", ["/srv"]],
  ])("%j deletes %j", (text, paths) => {
    const found = deleted(text);
    expect(found).toEqual(expect.arrayContaining([...paths]));
  });

  it("is not known where what it names is not", () => {
    expect(bash("trap 'rm -r \"$d\"' EXIT; read -r d").understanding).not.toBe("understood");
  });

  it("sees at least every state that its variables have from the trap on", () => {
    const step = fc.tuple(fc.constantFrom("a", "b"), fc.constantFrom("/x", "/y", "/..", "z", ""));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.nat(3), (steps, before) => {
        const texts = steps.map(([name, value]) => `${name}='${value}'`);
        texts.splice(Math.min(before, texts.length), 0, "trap 'rm -r \"/q$a/$b\"' EXIT");
        const found = bash(texts.join("; "));
        const listed = new Set(found.effects?.deletes.map(({ path }) => path.lexical));
        const unknown = found.understanding !== "understood";
        const state = { a: "", b: "" };
        steps.forEach(([name, value], i) => {
          if (i >= before) expect(unknown || listed.has(cleanPath(`/q${state.a}/${state.b}`))).toBe(true);
          state[name as "a" | "b"] = value;
        });
        expect(unknown || listed.has(cleanPath(`/q${state.a}/${state.b}`))).toBe(true);
      }),
      { numRuns: 300, verbose: 1 },
    );
  });
});

describe("names that are made anew", () => {
  it.each<Row>([
    ['rm -r "$(mktemp -d -t app.XXXX)"', ["/tmp/app.*"]],
    ['rm -r "$(mktemp -d out/app.XXXXXX)"', ["/home/dev/app/out/app.*"]],
    ['rm -r "$(mktemp -d /srv/app.XXXXXX)"', ["/srv/app.*"]],
    ['rm -r "out-$(date +%Y%m%d)"', ["/home/dev/app/out-[0-9]*"]],
    ['rm -r "out-$(date -u +%s)"', ["/home/dev/app/out-[0-9]*"]],
    ['rm -r "out-$(git rev-parse --short=8 HEAD)"', ["/home/dev/app/out-[0-9a-f]*"]],
  ])("%j deletes %j, and is understood", (text, paths) => {
    expect(deleted(text)).toEqual(paths);
    expect(bash(text).understanding).toBe("understood");
  });

  it.each([
    'rm -r "out-$(date)"',
    'rm -r "out-$(date +%D)"',
    'rm -r "out-$(date +%s/..)"',
    'rm -r "out-$(date -f names +%s)"',
    'rm -r "out-$(git rev-parse --abbrev-ref HEAD)"',
    'rm -r "out-$(git rev-parse "$x")"',
    'rm -r "$(mktemp -d -p "$x")"',
    'date() { cat x; }; rm -r "out-$(date +%s)"',
  ])("%j is not understood", (text) => {
    expect(bash(text).understanding).not.toBe("understood");
  });
});
