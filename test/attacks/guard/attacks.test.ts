import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compile } from "../../../compiler/compile.ts";
import { createEngine } from "../../../runtime.ts";
import {
  asked,
  type GuardAttack,
  guardAttacks,
  guardAttacksOf,
  guardCommands,
  neighbours,
  standIns,
  untrusted,
} from "./attacks.ts";
import { trailAttacks } from "./trail-attacks.ts";

/** Programs of the system that these commands may start: none of them leaves the scratch folder by what it is given. */
const systemPrograms = /^(?:git|tar|cp|mv|rm|ln|cd|sh|echo|printf|chmod|touch)$/;

/** The words of a command that stand where a program is named. */
const programsOf = (command: string): string[] =>
  command
    .replaceAll(/'[^']*'|"[^"]*"/g, "text")
    .replaceAll(/^\(|\)$/g, "")
    .split(/&&|;/)
    .map(
      (part) =>
        part
          .trim()
          .split(" ")
          .find((word) => !/^[A-Z_]+=/.test(word)) ?? "",
    );

const bytes = new TextEncoder().encode(readFileSync(join(import.meta.dirname, "policy.yaml"), "utf8"));
const judge = createEngine(compile({ files: [{ name: "u", path: "u.yaml", bytes, scope: "user" }] }).plan);
const wiring = { text: '{"hooks":{"preToolUse":[{"command":"hookwarden-client.sh cursor"}]}}' };
const files = {
  "/home/dev/app/.cursor/hooks.json": wiring,
  "/home/dev/app/.windsurf/hooks.json": wiring,
  "/home/dev/app/node_modules/hookwarden/package.json": { text: '{"name":"hookwarden"}' },
};
const judged = (command: string): string => {
  const environment = { cwd: "/home/dev/app", workspace: "/home/dev/app", home: "/home/dev", files };
  const event = { event: "tool_call", id: "e", tool: "bash", args: { command }, environment };
  return judge.decide(event).decision.outcome;
};

describe("commands that aim at the guard", () => {
  it.each([...guardCommands])("starts nothing but what is harmless: %s", (command) => {
    for (const program of programsOf(command))
      expect(program).toMatch(
        program.includes("/") ? /^(?:around\/[a-z-]+\/[a-z]+|(?:\.\.\/\.\.\/)?tools\/node)$/ : systemPrograms,
      );
  });

  it.each([...guardCommands])("names nothing outside of the scratch folder: %s", (command) => {
    expect(command).not.toMatch(
      /(?:^|[\s='"])(?:\/(?!bin\/sh\\n)|~)|`|\$\(|\$(?!PWD\/around\/)|\.\.\/\.\.\/\.\.|\s-r?f\s/,
    );
    for (const [up] of command.matchAll(/\.\.\/\S*/g))
      expect(up).toMatch(/^\.\.\/(?:\.\.\/(?:tools\/node|leave\)?)$|home\/\.local\/state\/hookwarden)/);
  });

  it.each(standIns)("$id names its program by a path, which nothing looks up", ({ id, commands }) => {
    expect(commands.join()).toMatch(new RegExp(`around/${id}/[a-z]+ `));
  });

  it("have an id each, and no two tell themselves by the same content of a file", () => {
    const ids = [...guardAttacks, ...trailAttacks].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const tells = guardAttacks.map(({ tells: { file, leak } }: GuardAttack) => `${file} ${JSON.stringify(leak)}`);
    expect(new Set(tells).size).toBe(tells.length);
  });
});

describe("the policies of a real host's session", () => {
  const inProject = new Set(untrusted.map(({ id }) => id));

  it.each(guardAttacks.filter(({ id }) => !inProject.has(id)))("stop the first call: $id", ({ id, commands }) => {
    expect(judged(commands[0] ?? "")).toBe(asked.has(id) ? "ask" : "block");
  });

  it("put one of each kind to a human where a question ends the run", () => {
    const { together, alone } = guardAttacksOf("gemini");
    expect(together.filter(({ id }) => asked.has(id))).toEqual([]);
    expect(alone.every(({ id }) => asked.has(id)) && alone.length).toBe(4);
    expect(guardAttacksOf("codex")).toEqual({ together: guardAttacks, alone: [] });
  });

  it.each(neighbours)("let a call beside them be: $command", ({ command }) => {
    expect(judged(command)).toBe("allow");
  });
});

describe("a change of the trail", () => {
  const lines = ['{"outcome":"allow"}', '{"n":1}', '{"outcome":"block"}', '{"n":3}', '{"n":4}'];

  it.each(trailAttacks)("changes it: $id", ({ change }) => {
    expect(change(lines)).not.toEqual(lines);
  });
});
