import { parse } from "@marcbachmann/cel-js";
import { normalise } from "../../../engine/normalise.ts";
import { facts } from "../../../facts/facts.ts";
import { hermeticFiles } from "../../../facts/paths/files.ts";
import type { ShellCommand } from "../../../schema/facts.ts";
import { dispatching, ownPlan, ruleLine } from "./hookwarden.ts";
import { type MixEvent, quiet } from "./mix.ts";
import type { Decider } from "./peer.ts";

/** An engine whose rules speak of the commands in a shell text; without rules it only reads the text. */
export interface ShellPeer {
  readonly name: string;
  load(rules: number): Decider;
}

/** Rule `n` blocks the program `tool-n` with `--force`, wherever it stands in the shell text. */
const program = (n: number): string => `tool-${n}`;

/** A call with commands of which none is in a rule, and one that the last of so many rules blocks. */
export const quietShell: MixEvent = { ...quiet, command: `cd web && ${quiet.command}` };
export const blockedShell = (rules: number): MixEvent => ({
  ...quiet,
  command: `cd web && ${program(rules - 1)} --force all | head -n 20`,
});

const own: ShellPeer = {
  name: "hookwarden",
  load(rules) {
    return dispatching(ownPlan(Array.from({ length: rules }, (_, n) => ruleLine(`r${n}`, condition(n)))));
  },
};

function condition(n: number): string {
  return `shell.commands.exists(c, c.program == ${JSON.stringify(program(n))} && c.has_option("--force"))`;
}

/** What is common to all: the text read by our own facts, anew for every call. */
const reading: ShellPeer = {
  name: "reading the shell text alone",
  load: () => over(() => false),
};

const closures: ShellPeer = {
  name: "closures over the same facts",
  load(rules) {
    const checks = Array.from({ length: rules }, (_, n) => {
      const named = program(n);
      return (commands: readonly ShellCommand[]): boolean =>
        commands.some((c) => c.program === named && c.options.some(({ names }) => names.includes("--force")));
    });
    return over((commands) => {
      let blocked = false;
      for (const check of checks) if (check(commands)) blocked = true;
      return blocked;
    });
  },
};

const celJs: ShellPeer = {
  name: "@marcbachmann/cel-js over the same facts",
  load(rules) {
    const programs = Array.from({ length: rules }, (_, n) =>
      parse(
        `commands.exists(c, c.program == ${JSON.stringify(program(n))} && c.options.exists(o, "--force" in o.names))`,
      ),
    );
    return over((commands) => {
      let blocked = false;
      for (const one of programs) if (one({ commands }) === true) blocked = true;
      return blocked;
    });
  },
};

function over(blocks: (commands: readonly ShellCommand[]) => boolean): Decider {
  const files = hermeticFiles(undefined);
  return {
    for({ tool, command, user }) {
      const normalised = normalise({ event: "tool_call", id: "e1", tool, args: { command }, environment: { user } });
      if ("code" in normalised) throw new Error(normalised.message);
      const { event } = normalised;
      return () => (blocks(facts.of(event, files).shell?.commands ?? []) ? "block" : "allow");
    },
  };
}

/** All engines that look into shell texts; ours comes first. Those without macros over lists cannot. */
export const shellPeers: readonly ShellPeer[] = [own, reading, closures, celJs];
