import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MadeSession, recordBody } from "../audit/trail.ts";
import type { Ran } from "../cli/run.ts";
import { blocks, type GuideWorld } from "./command-lines.ts";

/** How the commands of a page are carried out: in their order, in one world. */
export interface PageRows {
  /** Files that a reader of the page has already. */
  before?(world: GuideWorld): void | Promise<void>;
  /** Steps between the commands, by the line that follows them. */
  readonly between?: Readonly<Record<string, (world: GuideWorld, last: Ran | undefined) => void | Promise<void>>>;
  /** A line that tells which words there are, with one that has them. */
  readonly synopses?: Readonly<Record<string, string>>;
}

/** Commands of a page that a test of its own carries out and compares with what the page prints. */
export const executedElsewhere: Readonly<Record<string, string>> = {
  "docs/guide/five-minutes.md": "test/cli/five-minutes.test.ts",
  "docs/guide/explain.md": "test/cli/five-minutes.test.ts",
};

const policy = `version: 1
policy: mine
title: Mine
description: A policy of this reader.
rules:
  - id: forbidden
    title: Forbidden
    severity: medium
    event: [tool_call, user_bash]
    tool: bash
    each: { c: shell.commands }
    when: { c.operands: { contains: FORBIDDEN } }
    action: block
    reason: the file is forbidden
    examples: { match: [touch FORBIDDEN], no_match: [ls] }
`;

/** A block of a page, by its language and what stands behind that. */
function block(page: string, language: string, info = ""): string {
  const found = blocks.find((one) => one.page === page && one.language === language && one.info === info);
  if (!found) throw new Error(`${page} has no block ${language} ${info}`);
  return found.text;
}

const begun = async (world: GuideWorld): Promise<void> => {
  const { code, err } = await world.run(["init", "--no-packs"]);
  if (code !== 0) throw new Error(err);
};

/** Pages whose commands need no host and no server. */
export const pageRows: Readonly<Record<string, PageRows>> = {
  "docs/guide/audit.md": {
    before: async (world) => {
      // The trail of a session that goes on while its user makes keys.
      new MadeSession(world.state, "one").add(1);
    },
    between: {
      "hookwarden audit init --rotate": (world, last) => {
        const key = /^hookwarden\/\S+$/m.exec(last?.out ?? "")?.[0] ?? "";
        world.put("keys.txt", `${key}\n`);
        const copyTo = join(world.elsewhere, "checkpoints.jsonl");
        const session = new MadeSession(world.state, "two", { copyTo });
        for (let i = 0; i < 12; i++) session.add(2).checkpoint();
        world.values["<id>"] = "two";
      },
      "hookwarden audit verify old-copy/audit one-file.jsonl --format json": async (world) => {
        cpSync(join(world.state, "audit"), join(world.project, "old-copy/audit"), { recursive: true });
        world.put("policy.yaml", policy);
        const event = JSON.stringify({ event: "tool_call", tool: "bash", args: { command: "ls" } });
        await world.run(["eval", "--policy", "policy.yaml", "--audit", "one-file.jsonl"], event);
      },
    },
  },
  "docs/guide/ci.md": {
    before: async (world) => {
      await begun(world);
      world.put("docs/policies.md", "");
      await world.run(["docs", "-o", "docs/policies.md", "--force"]);
    },
  },
  "docs/guide/import.md": {
    before: async (world) => {
      await begun(world);
      mkdirSync(join(world.home, ".config/hookwarden"), { recursive: true });
      const settings = { permissions: { allow: ["Bash(ls:*)"], deny: ["Bash(make:*)"] } };
      world.put(".gitleaks.toml", block("docs/guide/import.md", "toml"));
      world.put(".opta/config.json", block("docs/guide/opta.md", "json"));
      for (const name of ["settings", "settings.local"]) world.put(`.claude/${name}.json`, JSON.stringify(settings));
      const hookify = "name: no-make\nevent: bash\naction: block\npattern: make\n";
      world.put(".claude/hookify.no-make.local.md", `---\n${hookify}---\nNot here.\n`);
      const detection = "{ s: { Image|endswith: /make }, condition: s }";
      const sigma = `title: Make\nlogsource: { category: process_creation, product: linux }\ndetection: ${detection}\nlevel: high\n`;
      world.put("rules/linux/process_creation/make.yml", sigma);
    },
  },
  "docs/guide/opencode.md": {
    before: (world) => {
      world.put("policy.yaml", policy);
      world.put(".opencode/plugins/other.js", "");
    },
  },
  "docs/guide/replay.md": {
    before: (world) => {
      for (const name of ["now.yaml", "next.yaml"]) world.put(name, block("docs/guide/replay.md", "yaml", name));
      world.put("events.jsonl", block("docs/guide/replay.md", "jsonl", "events.jsonl"));
      new MadeSession(world.state, "one").add(3).write(recordBody("one", "x", { tool: "read" }));
    },
    synopses: {
      "hookwarden audit show [paths] [--rule R] [--outcome O] [--session S] [--tool T] [--since T] [--until T] [--verbose] [--format json]":
        "hookwarden audit show --rule p/r --outcome block --session one --tool bash --since 2020-01-01 --until 2030-01-01 --verbose --format json",
      "hookwarden audit export [paths] --to otlp|ocsf|csv [the same filters] [-o file | --endpoint address]":
        "hookwarden audit export --to csv --tool read -o found.csv",
    },
  },
  "docs/guide/testing.md": {
    before: async (world) => {
      await begun(world);
      for (const name of ["policy.yaml", "policy.test.yaml"])
        world.put(
          `policies/shell-safety/${name}`,
          readFileSync(join(world.project, ".hookwarden", name), "utf8").replace(
            "./schema",
            "../../.hookwarden/schema",
          ),
        );
    },
  },
};

/** Exit codes of commands that find something, as their page says. */
export const exitCodes: Readonly<Record<string, number>> = {
  // "Exit code 1, as for other warnings": each is a gap that the pack has.
  "hookwarden check --thorough pack:secrets --format sarif": 1,
  "hookwarden replay --policy next.yaml --against now.yaml events.jsonl": 1,
  "hookwarden replay --policy now.yaml events.jsonl": 1,
};

/** Pages whose commands wire hosts or serve them, with the built package. */
export const hostPages: readonly string[] = ["README.md", "docs/guide/daemon.md", "docs/guide/install.md"];

/** YAML blocks that are no rules beside a table of calls, with the test that carries each out; by page and what follows the language. */
export const yamlElsewhere: Readonly<Record<string, string>> = {
  "docs/guide/ci.md .github/workflows/policies.yml": "test/guide/commands.test.ts",
  "docs/guide/editors.md ": "test/guide/commands.test.ts",
  "docs/guide/explain.md policy.yaml": "test/cli/five-minutes.test.ts",
  "docs/guide/five-rules.md policy.yaml": "test/guide/commands.test.ts",
  "docs/guide/hook-modules.md policy.yaml": "test/guide/hook-modules.heavy.test.ts",
  "docs/guide/import.md ": "test/guide/commands.test.ts",
  "docs/guide/packs.md policy.yaml": "test/guide/commands.test.ts",
  "docs/guide/pre-commit.md .pre-commit-config.yaml": "test/guide/commands.test.ts",
  "docs/guide/replay.md next.yaml": "test/cli/replay-guide.test.ts",
  "docs/guide/replay.md now.yaml": "test/cli/replay-guide.test.ts",
  "docs/guide/testing.md policy.test.yaml": "test/guide/commands.test.ts",
  "docs/guide/testing.md policy.yaml": "test/guide/commands.test.ts",
};
