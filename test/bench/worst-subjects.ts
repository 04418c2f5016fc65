import type { WireEvent } from "../../schema/generated.ts";
import { limits } from "../../schema/limits.ts";
import { delayAttacks } from "../attacks/delays.ts";
import { callOf, repeated, type Shape } from "../scaling/shape.ts";
import { shapes } from "../scaling/shapes.ts";
import { value } from "../scaling/texts.ts";

/** An input that was made to take long, as Claude Code says it. */
export interface Worst {
  readonly name: string;
  /** Bytes of the payload, about. */
  readonly size: number;
  payload(cwd: string): string;
}

/** Room that a payload at the bound of an event leaves for what stands around it. */
const around = 65_536;

/** Bytes: a script at its bound, a long log, and the most that an event may have. */
const sizes = { script: 60_000, log: 1_048_576, event: limits.eventBytes - around } as const;

/** What Claude Code says of an event; undefined for one that no hook of it carries. */
export function payloadOf(event: WireEvent, cwd: string): string | undefined {
  const given = event as unknown as Readonly<Record<string, unknown>>;
  const environment = event.environment as { readonly cwd?: string } | undefined;
  const own = environment?.cwd === "/home/dev/project" ? cwd : (environment?.cwd ?? cwd);
  const frame = { session_id: "bench-session", transcript_path: "", cwd: own, permission_mode: "default" };
  const called = { tool_name: toolOf(given), tool_input: given["args"], tool_use_id: "toolu_bench" };
  switch (event.event) {
    case "tool_call":
      return JSON.stringify({ ...frame, hook_event_name: "PreToolUse", ...called });
    case "tool_result": {
      const result = given["result"] as { readonly content: unknown; readonly details?: unknown };
      const tool_response = result.details ?? result.content;
      return JSON.stringify({ ...frame, hook_event_name: "PostToolUse", ...called, tool_response });
    }
    case "before_agent_start":
      return JSON.stringify({ ...frame, hook_event_name: "UserPromptSubmit", prompt: given["prompt"] });
    default:
      return undefined;
  }
}

function toolOf({ tool, server, name }: Readonly<Record<string, unknown>>): string {
  return server === undefined ? String(tool) : `mcp__${String(server)}__${String(name)}`;
}

/** A shape as an input of so many bytes: escapes and wide characters make a text longer than its units. */
export function sized(shape: Shape, size: number): Worst {
  return {
    name: shape.name,
    size,
    payload: (cwd) => {
      let units = size;
      for (;;) {
        const text = payloadOf(shape.event(units), cwd);
        if (text === undefined) throw new Error(`${shape.name}: no hook carries it`);
        const bytes = Buffer.byteLength(text);
        if (bytes <= size + around / 2 || units < 1_000) return text;
        units = Math.floor(units * Math.min(0.95, size / bytes));
      }
    },
  };
}

/** True for what a hook of Claude Code can carry. */
export function isCarried(shape: Shape): boolean {
  return payloadOf(shape.event(200), "/") !== undefined;
}

const bash = (name: string, command: string): Shape => ({ name, event: () => callOf("bash", { command }) });
const many = <T>(count: number, one: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => one(n));

/** Arguments that are dear one by one: paths, commands, contents of files, secrets and characters that nobody sees. */
const manyKeys: readonly { name: string; key(n: number): string; text(n: number): string }[] = [
  { name: "paths", key: (n) => `path${n}`, text: (n) => `/a/b${n}` },
  { name: "paths in names of many words", key: (n) => `file_Path___${n}`, text: (n) => `/a/b/c/d/e${n}` },
  {
    name: "contents of files that may be commands",
    key: (n) => `${n}/x/y.json`,
    text: (n) => `some content of a file ${n} with a; command | and so on $(x) $HOME`,
  },
  { name: "statements", key: (n) => `sql${n}`, text: (n) => `drop table a${n}` },
  {
    name: "passwords and tokens",
    key: (n) => `k${n}`,
    text: (n) => `password = "hunter${n}abcDEF123!" token: ghp_${"abc".repeat(12)}`,
  },
  {
    name: "thousands of commands of many variables, then names of many words",
    key: (n) => (n < 8_000 ? `command${n}` : `aNameOfManyWordsInOneKeyOfTheCall${n}`),
    text: (n) => (n < 8_000 ? `$a $b $c $d $e $f $g $h|$i;$j>$k "$l$m" ${n}` : `${n}x`),
  },
  { name: "invisible characters", key: (n) => `\u202ek\u200b${n}`, text: (n) => `\u202e\u200b${n} \u{e0041}` },
];

/** Calls that once took from seconds to for ever. */
const seen: readonly Shape[] = [
  ...delayAttacks.map(({ title, command }) => bash(`delay: ${title}`, command)),
  {
    name: "seen: a folder of 30,000 segments",
    event: () => {
      const event = callOf("bash", { command: "ls a b c" });
      return { ...event, environment: { ...event.environment, cwd: `/${"a/".repeat(30_000)}` } } as WireEvent;
    },
  },
  ...manyKeys.map(({ name, key, text }) => ({
    name: `seen: as many keys of a foreign tool as an event may have, ${name}`,
    event: () => callOf("mcp__x__y", Object.fromEntries(many(limits.toolNodes - 64, (n) => [key(n), text(n)]))),
  })),
  {
    name: "seen: a patch of 12,000 sections",
    event: () => callOf("apply_patch", { patch: many(12_000, (n) => `*** Add File: f${n}.sh\n+ls a${n}\n`).join("") }),
  },
  {
    name: "seen: 5,000 edits",
    event: () =>
      callOf("MultiEdit", {
        file_path: "f.sh",
        edits: many(5_000, (n) => ({ old_string: "x", new_string: `cat ${n}` })),
      }),
  },
  {
    name: "seen: 700,000 words like keys in a prompt",
    event: () =>
      ({
        ...callOf("bash", {}),
        event: "before_agent_start",
        prompt: repeated(
          limits.eventBytes - around,
          (n) =>
            `AKIA${value(n, 16)
              .toUpperCase()
              .replace(/[01689]/g, "A")} `,
        ),
      }) as unknown as WireEvent,
  },
];

/** The dearest shapes, each with the size at which it is dearest, as sweeps over all of them found. */
const dearest: readonly (readonly [keyof typeof sizes, string])[] = [
  ["script", "call: command: many lines"],
  ["script", "call: command: many paths to an unknown program"],
  ["script", "call: command: functions that call the one before"],
  ["log", "result: hexadecimal"],
  ["log", "result: keywords without a blank"],
  ["event", "result: hexadecimal"],
  ["event", "result: base64 thrice"],
  ["event", "result: keywords without a blank"],
  ["event", "result: keywords side by side with values"],
  ["event", "call: variables and subshells"],
  ["event", "call: many words of rsync"],
  ["event", "argument: invisible characters alone"],
  ["event", "arguments: keys of paths"],
  ["event", "call: keys of a foreign tool with paths"],
];

/** Every input that a sweep looks at: all shapes in all sizes. */
export function everyWorst(): readonly Worst[] {
  const carried = shapes.filter(isCarried);
  return [...seenWorst(), ...Object.values(sizes).flatMap((size) => carried.map((shape) => sized(shape, size)))];
}

/** The worst inputs that are known. */
export function knownWorst(): readonly Worst[] {
  const found = dearest.map(([size, name]) => {
    const shape = shapes.find((one) => one.name === name);
    if (!shape) throw new Error(`there is no shape \`${name}\``);
    return sized(shape, sizes[size]);
  });
  return [...seenWorst(), ...found];
}

function seenWorst(): readonly Worst[] {
  return seen.map((shape) => {
    const worst = sized(shape, sizes.event);
    return { ...worst, size: Buffer.byteLength(worst.payload("/")) };
  });
}
