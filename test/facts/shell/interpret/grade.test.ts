import { describe, expect, it } from "vitest";
import { type EffectBase, effectKinds } from "../../../../schema/facts.ts";
import { commands } from "../../../corpus/commands.ts";
import { bash } from "../../effects/judge.ts";

/** Each effect that a call lists: `!` certain, `>` certain if it is reached, `?` only possible. */
function grades(text: string): { readonly understanding: string; readonly marks: string; readonly commands: string } {
  const { effects, shell, understanding } = bash(text);
  const marks = effectKinds.flatMap((kind) => (effects?.[kind] ?? []).map(markOf)).join("");
  const known = (shell?.commands ?? []).map(({ certain }) => (certain ? "!" : "?")).join("");
  return { understanding, marks, commands: known };
}

function markOf({ certain, placed, reachable }: EffectBase): string {
  if (certain) return reachable || placed ? "wrong" : "!";
  if (reachable) return placed ? ">" : "wrong";
  return "?";
}

describe("what a branch or a jump may leave out is known, and its place is", () => {
  it.each([
    ["touch a", "understood", "!", "!"],
    ["if [ -e a ]; then rm b; fi", "understood", ">", "!!"],
    ["[ -e a ] && rm b", "understood", ">", "!!"],
    ["exit; rm b", "understood", ">", "!!"],
    ["f() { rm b; }", "understood", ">", "!"],
    ["if [ -e a ]; then echo x > b; fi", "understood", ">", "!!"],
    ["if [ -e a ]; then { echo x; } > b; fi", "understood", ">", "!!"],
    ["[ -e a ] && curl https://example.com/x", "understood", ">", "!!"],
    ["[ -e a ] && git push origin main", "understood", ">>", "!!"],
    ["[ -e a ] && git config core.pager x", "understood", ">>>", "!!"],
    ["[ -e a ] && kill 12", "understood", ">", "!!"],
    ["[ -e a ] && rm $X", "opaque", "?", "!?"],
    ["[ -e a ] && ./unknown", "opaque", ">>", "!?"],
    ["[ -e a ] && p=x; rm $p", "opaque", "?", "!??"],
  ])("%j is %s: %s, its commands %s", (text, understanding, marks, commands) => {
    const found = grades(text);
    expect({ ...found, marks: sorted(found.marks) }).toEqual({ understanding, marks: sorted(marks), commands });
  });
});

/** A trap runs behind the branch, where its variables may have no value. */
const plain = commands(400).filter((text) => !/\n|\btrap\b/.test(text));

describe("a command in a branch is what it is by itself", () => {
  it.each(plain)("%j", (text) => {
    const [alone, inside] = [bash(text), bash(`if [ -n "$1" ]; then\n${text}\nfi`)];
    expect(inside.understanding).toBe(alone.understanding);
    for (const kind of effectKinds) {
      const told = (effects: readonly EffectBase[] = []): readonly string[] =>
        effects.map(({ reachable, certain, placed, command, ...one }) =>
          JSON.stringify({ ...one, placed: placed === true && !reachable, sure: certain || reachable === true }),
        );
      expect(told(inside.effects?.[kind])).toEqual(told(alone.effects?.[kind]));
      for (const one of (inside.effects?.[kind] ?? []) as readonly EffectBase[]) expect(one.certain).toBe(false);
    }
  });
});

function sorted(marks: string): string {
  return [...marks].sort().join("");
}
