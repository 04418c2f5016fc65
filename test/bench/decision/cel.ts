import { celEnv, plan, parse as read } from "@bufbuild/cel";
import { parse } from "@marcbachmann/cel-js";
import { celContext, expression, type MixRule } from "./mix.ts";
import type { Decider, Peer } from "./peer.ts";

/** One program per rule, all of them run on every call. */
export const celJs: Peer = {
  name: "@marcbachmann/cel-js",
  package: "@marcbachmann/cel-js",
  load: (rules) => deciding(rules.map((rule) => parse(ofBash(rule)))),
};

/** One plan per rule, all of them run on every call. */
export const bufbuildCel: Peer = {
  name: "@bufbuild/cel",
  package: "@bufbuild/cel",
  load(rules) {
    const env = celEnv();
    return deciding(rules.map((rule) => plan(env, read(ofBash(rule)))));
  },
};

type Program = (context: ReturnType<typeof celContext>) => unknown;

function deciding(programs: readonly Program[]): Decider {
  return {
    for(event) {
      const context = celContext(event);
      return () => {
        let blocked = false;
        for (const program of programs) if (program(context) === true) blocked = true;
        return blocked ? "block" : "allow";
      };
    },
  };
}

function ofBash(rule: MixRule): string {
  return `tool == "bash" && ${expression(rule)}`;
}
