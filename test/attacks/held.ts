import { join } from "node:path";
import { type Passed, passedCases } from "../hosts/passed.ts";
import type { CaseResult } from "../hosts/report.ts";
import { delayAttacks, readsKeys } from "./delays.ts";
import { envelopeAttacks } from "./envelope-attacks.ts";
import { environmentAttacks, whyOpen } from "./environment.ts";
import { guardAttacks } from "./guard/attacks.ts";
import { trailAttacks } from "./guard/trail-attacks.ts";
import type { AttackClass } from "./rows/row.ts";

/** Where runs of the attacks keep what held. */
export const heldFile = join(import.meta.dirname, "held.json");

/** One attack on one version of a real host, as it was seen last. */
export interface HeldAttack {
  readonly class: AttackClass;
  readonly host: string;
  readonly id: string;
  readonly title: string;
  readonly control: string;
  readonly guarded: string;
}

/** Hosts whose guard is in their own process: variables of a hook's process are nothing to them. */
export const inProcess: readonly string[] = ["pi", "opencode"];

/** Names of the cases of one attack. */
export const caseNames = {
  leaks: (id: string) => `${id}: control leaks`,
  keptAway: (id: string) => `${id}: the host keeps it away`,
  held: (id: string) => `${id}: held and recorded`,
  open: (id: string) => `${id}: not closable, and said so`,
} as const;

/** What held before of parts that a run leaves out; nothing where it leaves none out. */
export function leftAsTheyWere(before: readonly string[] = [], parts: readonly string[]): CaseResult[] {
  const left = parts.length === 0 ? [] : before.filter((name) => !parts.some((part) => isOf(name, part)));
  return left.map((name) => ({ name, ok: true, seen: "" }));
}

const isOf = (name: string, part: string): boolean => name.startsWith(`${part}/`) || name.startsWith(`${part}:`);

/** Hosts and versions of the last run. */
export function hostTitles(passed: Passed = passedCases(heldFile)): string[] {
  return Object.values(passed).flatMap((versions) => Object.keys(versions));
}

/** Every attack on real hosts that was seen; an attack whose guarded case did not hold is not among them. */
export function heldAttacks(passed: Passed = passedCases(heldFile)): HeldAttack[] {
  const all = [
    ...[...delayAttacks, readsKeys].map(({ id, title }) => ({ class: "delay", id: `delay/${id}`, title }) as const),
    ...envelopeAttacks.map(({ id, title }) => ({ class: "envelope", id: `envelope/${id}`, title }) as const),
    ...environmentAttacks.map(({ id, title }) => ({ class: "environment", id: `environment/${id}`, title }) as const),
    ...guardAttacks.map(({ class: name, id, title }) => ({ class: name, id: `guard/${id}`, title })),
    ...trailAttacks.map(({ id, title }) => ({ class: "trail", id: `guard/${id}`, title }) as const),
  ];
  return Object.entries(passed).flatMap(([name, versions]) =>
    Object.entries(versions).flatMap(([host, cases]) => {
      const names = new Set(cases);
      return all.flatMap((attack) => {
        const { id } = attack;
        const control = names.has(caseNames.leaks(id)) ? leakOf(attack) : keptBy(attack);
        const known = names.has(caseNames.leaks(id)) || names.has(caseNames.keptAway(id));
        if (known && names.has(caseNames.held(id))) return [{ ...attack, host, control, guarded: heldOf(attack) }];
        const why = whyOpen(name, id.slice(id.indexOf("/") + 1));
        return known && names.has(caseNames.open(id)) && why !== undefined
          ? [{ ...attack, host, control, guarded: `**not closable**: ${why}` }]
          : [];
      });
    }),
  );
}

const leaks: Readonly<Partial<Record<AttackClass, string>>> = {
  trail: "the trail that nobody changed is intact",
  "untrusted project": "does so once a human has trusted the project",
};

/** What the control of an attack shows, in the words of its class. */
const leakOf = ({ class: name }: Pick<HeldAttack, "class">): string => leaks[name] ?? "leaks";

const keptBy = ({ id }: Pick<HeldAttack, "id">): string =>
  id.startsWith("guard/") ? "the host stops it by itself" : "the host keeps it from hooks";

const heldOf = ({ class: name }: Pick<HeldAttack, "class">): string =>
  name === "trail" ? "altered, by both verifiers" : "held, on record";
