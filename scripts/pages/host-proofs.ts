import type { EventName } from "../../schema/events.ts";
import type { HostAction } from "../../schema/hosts/row.ts";
import { enforceable, type HostName, hostEvent, hosts } from "../../schema/hosts.ts";
import type { Passed } from "../../test/hosts/passed.ts";
import { type ReadFile, testNames } from "../../test/seeds/faults.ts";
import {
  type CapabilityName,
  capabilities,
  type Proof,
  type RecordedProof,
  type RunProof,
  recorded,
  runs,
} from "./host-proof-cases.ts";

/** How well it is known that a host honours a capability. */
export type Known =
  | { readonly level: "not possible"; readonly why: string }
  | { readonly level: "run" | "recorded payload"; readonly proof: Proof }
  | { readonly level: "documents" };

/** Returns the evidence for one host and capability: a run, otherwise a recorded payload, otherwise its documents. */
export function knownOf(host: HostName, name: CapabilityName): Known {
  const ways: readonly (readonly [EventName, HostAction])[] = capabilities[name];
  if (ways.every(([event, action]) => enforceable(host, event, action).level === "none")) {
    const delivered = ways.some(([event]) => hostEvent(host, event) !== undefined);
    return { level: "not possible", why: delivered ? `${hosts[host].title} has no way to` : "not delivered" };
  }
  const run = runs[host]?.[name];
  if (run) return { level: "run", proof: run };
  const proof = recorded[host]?.[name];
  return proof ? { level: "recorded payload", proof } : { level: "documents" };
}

/** Returns the name of a case on a page: its title, with the row filled in if the case is one of a table. */
export function caseName(proof: Proof): string {
  if (!("row" in proof) || proof.row === undefined) return proof.title;
  return proof.title.includes("%s") ? proof.title.replace("%s", proof.row) : `${proof.title} (${proof.row})`;
}

/** Returns the faults of the cells: no case, a case that is not in its file, or a real run in which the case did not pass. */
export function proofFaults(known: Known, read: ReadFile, passed: Passed): string[] {
  if (known.level === "documents") return ["no case shows it: the host's documents alone are no proof"];
  if (!("proof" in known)) return [];
  const { proof } = known;
  const text = read(proof.file);
  if (text === undefined) return [`${proof.file} is not there`];
  return "host" in proof ? runFaults(proof, text, passed) : caseFaults(proof, testNames(proof.file, text));
}

function caseFaults({ file, title, row }: RecordedProof, names: ReadonlySet<string>): string[] {
  const wanted = row === undefined ? [title] : [title, row];
  return wanted.filter((name) => !names.has(name)).map((name) => `${file} has no case "${name}"`);
}

/** Returns the faults of a case of a real run. Its file may name the case without the suffix of the run: `… (--hook)`. */
function runFaults({ file, host, title, on }: RunProof, text: string, passed: Passed): string[] {
  const words = title.replace(/ \([^()]*\)$/, "");
  const versions = passed[host] ?? {};
  return [
    ...(text.includes(words) ? [] : [`${file} has no case "${words}"`]),
    ...(on.length > 0 ? [] : [`${host} is run in no version`]),
    ...on
      .filter((version) => !Object.hasOwn(versions, version) || !versions[version]?.includes(title))
      .map((version) => `"${title}" did not pass on ${version}: run \`npm run test:hosts -- ${host}\``),
  ];
}
