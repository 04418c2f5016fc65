import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readYaml } from "../../compiler/read.ts";
import { toValue } from "../../compiler/yaml-node.ts";
import { executedPages } from "../../scripts/transcript/renew.ts";
import { type Ran, run } from "../cli/run.ts";
import { readDocument } from "../literate/document.ts";
import {
  blocks,
  type CommandLine,
  commandLines,
  commandsInProse,
  GuideWorld,
  parsed,
  textOf,
} from "./command-lines.ts";
import { executedElsewhere, hostPages, pageRows, yamlElsewhere } from "./command-rows.ts";

/** Every command that a page tells people to run is one that there is, and is carried out; every rule is judged. */
const root = join(import.meta.dirname, "../..");

describe("every command of README and guides", () => {
  const helps = new Map<string, Promise<string>>();
  const helpOf = (names: readonly string[]): Promise<string> => {
    const key = names.join(" ");
    const made = helps.get(key) ?? run([...names, "--help"]).then(({ code, out }) => (code === 0 ? out : ""));
    helps.set(key, made);
    return made;
  };
  const shown = [...new Map([...commandLines, ...commandsInProse].map((one) => [one.line, one])).values()];

  it.each(shown.map(({ page, line }) => [line, page] as const))(
    "`%s` of %s has a name and options that there are",
    async (line) => {
      const { words } = parsed(line.replace(/[[\]]/g, " "));
      const [first = "", second = ""] = words;
      const group =
        ["audit", "new", "import"].includes(first) && /^[a-z][a-z-]*$/.test(second) ? [first, second] : [first];
      const help = `${await helpOf(group)}\n${await helpOf([])}`;
      expect(await helpOf(group), "there is such a command").not.toBe("");
      const end = words.indexOf("--");
      const options = (end < 0 ? words : words.slice(0, end)).filter((word) => /^--?[a-z]/i.test(word));
      for (const option of options.map((word) => word.split("=")[0] as string))
        expect(help, option).toMatch(new RegExp(`(?:^|[\\s,])${option}(?:[\\s,]|$)`, "m"));
    },
  );

  it("is on a page whose commands a test carries out", () => {
    const known = new Set([...Object.keys(pageRows), ...Object.keys(executedElsewhere), ...hostPages]);
    expect(commandLines.filter(({ page }) => !known.has(page))).toEqual([]);
    expect(commandLines.length).toBeGreaterThan(50);
    for (const page of Object.keys(executedElsewhere)) expect(executedPages).toContain(page.replace("docs/guide/", ""));
  });
});

describe("every YAML block of README and guides", () => {
  const yaml = blocks.filter(({ language }) => /^ya?ml$/.test(language));
  /** Rules beside a table of calls: `guide.test.ts` and `front-page.test.ts` judge them. */
  const judged = (page: string): readonly string[] =>
    readDocument(textOf(page))
      .filter(
        ({ rows, blocks: own }) =>
          rows.length > 0 && own.some(({ language, info }) => language === "yaml" && info === ""),
      )
      .flatMap(({ blocks: own }) => own.map(({ text }) => text));

  it("is judged beside its table, or carried out by the test that is named for it", () => {
    const rest = yaml
      .filter(({ page, text }) => !judged(page).includes(text))
      .map(({ page, info }) => `${page} ${info}`);
    expect([...new Set(rest)].sort()).toEqual(Object.keys(yamlElsewhere).sort());
    for (const test of Object.values(yamlElsewhere)) expect(existsSync(join(root, test)), test).toBe(true);
  });

  const block = (page: string, language = "yaml"): readonly string[] =>
    blocks.filter((one) => one.page === page && one.language === language).map(({ text }) => text);
  const value = (text: string): unknown => {
    const { root: tree, diagnostics } = readYaml("page.yaml", Buffer.from(text));
    expect(diagnostics).toEqual([]);
    return tree && toValue(tree);
  };
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

  it("of the workflow gives the action inputs that it has, and takes an output that it has", () => {
    const [text = ""] = block("docs/guide/ci.md");
    const action = value(readFileSync(join(root, "action.yml"), "utf8")) as {
      inputs: Record<string, unknown>;
      outputs: Record<string, unknown>;
    };
    const { jobs } = value(text) as { jobs: { policies: { steps: Record<string, unknown>[] } } };
    const step = jobs.policies.steps.find(({ id }) => id === "policies") ?? {};
    expect(step["uses"]).toBe(`hookwarden/hookwarden@v${manifest.version}`);
    for (const name of Object.keys(step["with"] as object)) expect(Object.keys(action.inputs)).toContain(name);
    for (const [, name] of text.matchAll(/steps\.policies\.outputs\.([\w-]+)/g))
      expect(Object.keys(action.outputs)).toContain(name);
    const inputs = [
      ...(/^Its inputs are (.*?)\. They/ms.exec(textOf("docs/guide/ci.md"))?.[1] ?? "").matchAll(/`([\w-]+)`/g),
    ];
    expect(inputs.map(([, name]) => name)).toEqual(Object.keys(action.inputs));
  });

  it("of pre-commit names the hooks that there are, with arguments that their commands take", async () => {
    const hooks = value(readFileSync(join(root, ".pre-commit-hooks.yaml"), "utf8")) as { id: string; entry: string }[];
    const [whole = "", part = ""] = block("docs/guide/pre-commit.md");
    const { repos } = value(whole) as { repos: { rev: string; hooks: { id: string }[] }[] };
    expect(repos.map(({ rev }) => rev)).toEqual([`v${manifest.version}`]);
    expect(repos[0]?.hooks.map(({ id }) => id)).toEqual(hooks.map(({ id }) => id));
    const [other] = value(part.replace(/^ {6}/gm, "")) as { id: string; args: string[]; files: string }[];
    const world = new GuideWorld();
    await world.run(["init", "--no-packs"]);
    world.put("policies/policy.yaml", readFileSync(join(world.project, ".hookwarden/policy.yaml"), "utf8"));
    const { entry = "" } = hooks.find(({ id }) => id === other?.id) ?? {};
    const ran = await world.follow(`${entry} ${other?.args.join(" ")}`);
    world.remove();
    expect([ran.code, new RegExp(other?.files ?? "^$").test("policies/policy.yaml")], ran.err).toEqual([0, true]);
  });

  it("of the editor is the line that `init` writes", async () => {
    const world = new GuideWorld();
    await world.run(["init", "--no-packs"]);
    const [line] = readFileSync(join(world.project, ".hookwarden/policy.yaml"), "utf8").split("\n");
    world.remove();
    expect(block("docs/guide/editors.md")).toEqual([`${line}\n`]);
  });

  /** Runs a command in a world of its own that has some files. */
  async function said(files: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ran> {
    const world = new GuideWorld();
    for (const [name, text] of Object.entries(files)) world.put(name, text);
    const ran = await world.run(args);
    world.remove();
    return ran;
  }

  const loaded = (text: string): Promise<Ran> =>
    said({ "policy.yaml": text }, "compile", "--policy", "policy.yaml", "-o", "plan.json");

  it("of the five rules makes a policy of them, which loads", async () => {
    const [head = "", ...rules] = block("docs/guide/five-rules.md");
    expect(rules).toHaveLength(5);
    const whole = head + rules.join("").replace(/^(?=.)/gm, "  ");
    const { code, err } = await loaded(whole);
    expect(code, err).toBe(0);
  });

  it("of packs are policies that load", async () => {
    const policies = block("docs/guide/packs.md");
    expect(policies).toHaveLength(2);
    for (const text of policies) {
      const { code, err } = await loaded(text);
      expect(code, err).toBe(0);
    }
  });

  it("of a suite is one that holds for the policy that it is about", async () => {
    const [suite = "", examples = ""] = block("docs/guide/testing.md");
    const limited = "when: parameters.limit == 2, budget: { limit: 2, within: 1m }";
    const head = "version: 1\npolicy: fetch-once\nparameters: { limit: { type: int, default: 9 } }\nrules:\n";
    const limit = `  - { id: limit, event: tool_call, tool: fetch, ${limited}, action: ask, reason: many }\n`;
    const scan = "  - { id: scan, event: tool_call, tool: bash, action: { run: { command: [scan] } } }\n";
    const ran = await said({ "policy.yaml": head + limit + scan, "policy.test.yaml": suite }, "test");
    expect([ran.code, ran.out.includes("1 suite, 1 case")], ran.out + ran.err).toEqual([0, true]);
    // By its text, so that a variable in its place is not known. The comment takes away what there would be to say of that.
    const own =
      "version: 1\npolicy: p\nrules:\n  - id: deploy\n    event: tool_call\n    each: { c: shell.commands }\n";
    const rest =
      '    when: c.has_option("--fast") && args.command.contains("production")\n    action: ask\n    reason: production\n';
    const found = async (text: string): Promise<boolean> =>
      (await said({ "policy.yaml": own + rest + text }, "check", "--thorough", "policy.yaml")).out.includes("[HW674]");
    expect(await found(examples)).toBe(false);
    expect(await found(examples.replace(/^ *#.*\n/m, ""))).toBe(true);
  });

  it("of an import is what becomes of the rule above it", async () => {
    const world = new GuideWorld();
    world.put(".gitleaks.toml", block("docs/guide/import.md", "toml")[0] ?? "");
    const { out } = await world.run(["import", "gitleaks", ".gitleaks.toml"]);
    world.remove();
    const lines = (text: string): readonly string[] =>
      text
        .trim()
        .split("\n")
        .map((line) => line.trim());
    const [wanted = ""] = block("docs/guide/import.md");
    expect(lines(out).join("\n")).toContain(lines(wanted).join("\n"));
  });
});

describe("a line of a page", () => {
  it.each<[string, CommandLine["line"], ReturnType<typeof parsed>]>([
    ["has words", "hookwarden check a b", { words: ["check", "a", "b"], from: undefined, to: undefined }],
    [
      "has quotes",
      `hookwarden explain --args '{"a": "b c"}' "d e"`,
      { words: ["explain", "--args", '{"a": "b c"}', "d e"], from: undefined, to: undefined },
    ],
    ["has streams", "hookwarden hook x < a.json > b", { words: ["hook", "x"], from: "a.json", to: "b" }],
    [
      "has places",
      "hookwarden audit prove --session <id>",
      { words: ["audit", "prove", "--session", "<id>"], from: undefined, to: undefined },
    ],
  ])("%s", (_, line, words) => {
    expect(parsed(line)).toEqual(words);
  });
});
