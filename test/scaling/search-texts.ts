import type { WireEvent } from "../../schema/generated.ts";
import type { Random } from "../properties/language/random.ts";
import type { Space } from "./climb.ts";
import { callOf, framed, resultOf, textResult } from "./shape.ts";
import { jsonTexts, type TextKind, textKinds } from "./texts.ts";

/** An input of the search: kinds of text that take turns, how long each turn is, where the text stands, how it is wrapped. */
export interface Candidate {
  readonly kinds: readonly string[];
  readonly turn: number;
  readonly place: Place;
  readonly wrap: Wrap;
}

const places = {
  result: (text: string) => textResult(text),
  details: (text: string) => resultOf([{ type: "text", text: "" }], { text }),
  argument: (text: string) => callOf("mcp__x__y", { text }),
  write: (text: string) => callOf("write", { path: "a.ts", content: text }),
  prompt: (text: string) => framed({ event: "before_agent_start", prompt: text } as unknown as WireEvent),
  message: (text: string) => framed({ event: "context", messages: [{ role: "user", content: text }] } as never),
};

const wraps = {
  none: (text: string) => text,
  json: (text: string) => JSON.stringify([text]),
  fields: (text: string) => JSON.stringify(text.match(/[\s\S]{1,60}/g)?.map((part) => ({ password: part })) ?? []),
  lines: (text: string) =>
    (text.match(/[\s\S]{1,200}/g) ?? []).map((part) => JSON.stringify({ text: part })).join("\n"),
  base64: (text: string) => Buffer.from(text).toString("base64"),
  percent: (text: string) => encodeURIComponent(text.toWellFormed()),
};

type Place = keyof typeof places;
type Wrap = keyof typeof wraps;

const kinds: ReadonlyMap<string, TextKind> = new Map([...textKinds, ...jsonTexts].map((kind) => [kind.name, kind]));

/** The event of a candidate, of about so many UTF-16 units. */
export function eventOf({ kinds: names, turn, place, wrap }: Candidate, size: number): WireEvent {
  const turns = names.map((name) => kinds.get(name)?.text(turn) ?? "");
  let text = "";
  for (let n = 0; text.length < size; n++) text += turns[n % turns.length] || "x";
  return places[place](wraps[wrap](text).slice(0, size));
}

/** Texts of kinds that take turns: each step changes one thing. */
export const texts: Space<Candidate> = { any: anyCandidate, near: changed };

function anyCandidate(random: Random): Candidate {
  return {
    kinds: random.times(1 + random.below(3), () => random.pick([...kinds.keys()])),
    turn: 2 ** (3 + random.below(14)),
    place: random.pick(Object.keys(places) as Place[]),
    wrap: random.pick(Object.keys(wraps) as Wrap[]),
  };
}

function changed(candidate: Candidate, random: Random): Candidate {
  const other = anyCandidate(random);
  const key = random.pick(Object.keys(candidate) as (keyof Candidate)[]);
  return {
    ...candidate,
    [key]: key === "kinds" ? [...candidate.kinds.slice(0, 2), ...other.kinds].slice(-3) : other[key],
  };
}
