import { describe, expect, it } from "vitest";
import {
  canonicalManager,
  isOtherProgram,
  packageManagers,
  packageSources,
  sourceMeant,
} from "../../../facts/programs/managers.ts";
import { shownText } from "../../../schema/approximation.ts";
import { bash } from "../effects/judge.ts";
import { exampleRows } from "./rows.ts";

const words = [
  "install x",
  "add x",
  "i x",
  "ci",
  "-S x",
  "-i x.deb",
  "get x@1",
  "install -g x",
  "sync x",
  "tool install x",
];

describe("package managers", () => {
  const commands = exampleRows().flatMap(({ names, words: given }) =>
    names.flatMap((name) => [`${name} ${given}`, ...words.map((one) => `${name} ${one}`)]),
  );
  const installs = [...new Set(commands)].flatMap((command) => bash(command).effects?.installs ?? []);

  it("are all in the table", () => {
    expect(installs.length).toBeGreaterThan(100);
    const known: readonly string[] = packageManagers;
    expect([...new Set(installs.map(({ manager }) => manager))].filter((name) => !known.includes(name))).toEqual([]);
  });

  it("are found by their other names, and each is its own", () => {
    for (const name of packageManagers) expect(canonicalManager(name)).toBe(name);
    const others = { "apt-get": "apt", NPM: "npm", "pip3.12": "pip", Homebrew: "brew", yum: "dnf", nobody: "nobody" };
    for (const [name, manager] of Object.entries(others)) expect(canonicalManager(name)).toBe(manager);
  });

  it("say by `via` which of several programs with the same packages it was", () => {
    const of = (command: string): readonly string[] =>
      (bash(command).effects?.installs ?? []).map(({ manager, via }) => `${shownText(manager)} ${via}`);
    expect(of("uv pip install x")).toEqual(["pip uv"]);
    expect(of("poetry add x")).toEqual(["pip poetry"]);
    expect(of("pip3 install x")).toEqual(["pip pip"]);
    expect(of("yum install x")).toEqual(["dnf yum"]);
    expect(["uv", "Poetry", "pip3", "apt-get", "npm"].filter(isOtherProgram)).toEqual(["uv", "Poetry"]);
  });

  it("take packages from sources that the table has, or that the call names", () => {
    const plain: readonly string[] = packageSources;
    const odd = installs
      .map(({ source }) => shownText(source))
      .filter((source) => !plain.includes(source) && sourceMeant(source));
    expect(odd).toEqual([]);
  });
});
