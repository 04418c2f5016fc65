import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HumanWorld } from "../../cli/consent/human-world.ts";
import { nobody } from "../../cli/consent/surroundings.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { guardVerbs, makeToken } from "../../store/tokens.ts";

/** A human at a terminal who types one answer: `yes` stands for the word that is shown. Without one there is no terminal. */
export function humanWho(answer: string | undefined, shown: (text: string) => void): HumanWorld {
  let last = "";
  return {
    terminal: () =>
      answer === undefined
        ? undefined
        : {
            show: (text) => {
              last += text;
              shown(text);
            },
            line: () => (answer === "yes" ? wordIn(last) : answer),
            close: () => {},
          },
    surroundings: () => nobody,
    unattended: { path: "/nowhere/hookwarden/unattended", owner: 0 },
  };
}

/** The word that a terminal shows. */
export function wordIn(shown: string): string {
  const word = /to say yes, type (\w+): $/.exec(shown)?.[1];
  if (word === undefined) throw new Error(`no word is shown: ${shown}`);
  return word;
}

let made = 0;

/**
 * A command line with a token beside it, as a human would have made it before for a scratch home: tests run where no terminal
 * is, and inside agents too. Whoever writes to the state folder of a home can make one; no more is claimed.
 */
export function withToken(
  home: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): readonly string[] {
  const state = stateFolder(env, home);
  mkdirSync(state, { recursive: true });
  const path = join(state, `test-${process.pid}-${made++}.token`);
  const grant = { verbs: guardVerbs, until: Date.now() + 86_400_000, anywhere: true };
  writeFileSync(path, makeToken(state, grant, 1), { mode: 0o600 });
  return [...args, "--token", path];
}

/** The key of the newest call on record that waits for a human: what a human looks up, and no agent is told. */
export function waitingKey(state: string): string {
  const folder = join(state, "audit");
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith(".jsonl"));
  const text = files.map((name) => readFileSync(join(folder, name), "utf8")).join("");
  const key = [...text.matchAll(/"question":\{[^}]*?"key":"(sha256:[0-9a-f]{64})"/g)].at(-1)?.[1];
  if (key === undefined) throw new Error("no call waits");
  return key;
}
