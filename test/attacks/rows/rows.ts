import { aroundAttacks } from "./around.ts";
import { daemonAttacks } from "./daemon.ts";
import { delayRows } from "./delay.ts";
import { envelopeAttacks } from "./envelope.ts";
import { environmentRows } from "./environment.ts";
import { placeAttacks } from "./place.ts";
import { policyAttacks } from "./project-policies.ts";
import type { AttackGroup, AttackRow } from "./row.ts";
import { selfChangeAttacks } from "./self-change.ts";
import { trailAttacks } from "./trail.ts";
import { untrustedAttacks } from "./untrusted-project.ts";

const groups: readonly AttackGroup[] = [
  ...delayRows,
  ...environmentRows,
  ...policyAttacks,
  ...placeAttacks,
  ...daemonAttacks,
  ...selfChangeAttacks,
  ...aroundAttacks,
  ...envelopeAttacks,
  ...untrustedAttacks,
  ...trailAttacks,
];

/** Attacks by the tests that carry them out; those on real hosts are in `held.json`. */
export const attackRows: readonly AttackRow[] = groups.flatMap(
  ({ class: name, host, control, guarded, closable = true, file, attacks }) =>
    attacks.map(([attack, test]) => ({
      id: `${host}: ${attack}`,
      class: name,
      host,
      attack,
      control,
      guarded,
      closable,
      tests: [`${file} > ${test}`],
    })),
);
