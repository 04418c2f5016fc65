import { type EventName, eventKind, eventNames } from "../../schema/events.ts";
import { type HostAction, type HostRow, weakerForms } from "../../schema/hosts/row.ts";
import { enforceable, type HostName, hostEvent, hostNames, hosts } from "../../schema/hosts.ts";
import { code, generatedFrom, type Page, table } from "../generate/page.ts";
import { hookShells } from "./hook-shells.ts";
import { capabilityNames, type Proof } from "./host-proof-cases.ts";
import { caseName, knownOf } from "./host-proofs.ts";

/** Page of the hosts: the events and actions that each delivers and honours, how its hooks fail, and the meaning of each weaker form. */
export const page: Page = {
  path: "docs/reference/hosts.md",
  render() {
    const intro =
      "What can be enforced where. `full`: as the rule says. A name: in that weaker form. Empty: not at all. The actions `label`,\n" +
      "`run`, `notify` and `record` are the engine's own and work on every event that a host delivers. Facts are as of\n" +
      "2026-11-21, from the versions named; *evidence* says whether they were seen in a run, read in source or types, or are\n" +
      "from documents.";
    return [
      generatedFrom("schema/hosts.ts and schema/hosts/"),
      `# Hosts\n\n${intro}\n`,
      `## How it is known\n\n${proofIntro}\n\n${proofs()}\n`,
      `## How hooks fail\n\n${failureIntro}\n\n${failures()}\n`,
      `## The environment of hooks\n\n${hookShells()}\n`,
      `## Weaker forms\n\n${forms()}\n`,
      ...eventNames.filter((name) => eventKind(name) !== "observe").map(section),
      `## Events that are only seen\n\n${observed()}\n`,
      ...hostNames.map(about),
    ].join("\n");
  },
};

const fromDocuments = hostNames
  .filter((host) => hosts[host].evidence === "docs")
  .map((host) => hosts[host].title)
  .join(", ");

const proofIntro =
  "*run*: a case runs the real host against a scripted model, with a control run that leaks. *recorded payload*: a case reads\n" +
  "and answers payloads in the recorded shape; the host itself was not run for it. Of some hosts that shape is known from\n" +
  `their documents alone: ${fromDocuments}. *not possible*: the host has no way. The number is that\n` +
  "of the case below; a cell without a case, a case that is not there, or one that did not pass on each version named\n" +
  "(`test/hosts/passed.json`), fails `test/adapters/install/host-proofs.test.ts`. In which form it holds says the section of\n" +
  "the event.";

/** Host by capability: how it is known, with the number of its case; then the cases. */
function proofs(): string {
  const lines: string[] = [];
  const numberOf = (proof: Proof): number => {
    const line = proofLine(proof);
    const at = lines.indexOf(line);
    return at >= 0 ? at + 1 : lines.push(line);
  };
  const rows = hostNames.map((host) => [
    code(host),
    ...capabilityNames.map((name) => {
      const known = knownOf(host, name);
      return "proof" in known ? `${known.level} [${numberOf(known.proof)}]` : known.level;
    }),
  ]);
  return `${table(["host", ...capabilityNames], rows)}\n\n${lines.map((line, i) => `${i + 1}. ${line}`).join("\n")}`;
}

function proofLine(proof: Proof): string {
  const on = "on" in proof ? ` (\`npm run test:hosts -- ${proof.host}\`, on ${proof.on.join(", ")})` : "";
  return `${code(proof.file)}: ${caseName(proof)}${on}`;
}

const failureIntro =
  "Before a tool call, when a hook crashes, does not answer in time, or answers what the host cannot read: `open` lets the\n" +
  "call run, `closed` stops it, `hangs` waits for ever, `none` cannot arise. The adapters turn their own faults into the\n" +
  "host's deny before any of this is reached.";

function failures(): string {
  const rows = hostNames.map((host) => {
    const { title, versions, evidence, kind, ask, fails }: HostRow = hosts[host];
    const asked = ask.by === "none" ? "blocks" : `${ask.by}; without a human ${ask.headless}`;
    return [code(host), title, versions.join(", "), evidence, kind, fails.crash, fails.timeout, fails.malformed, asked];
  });
  return table(["host", "is", "versions", "evidence", "kind", "crash", "time-out", "malformed answer", "ask"], rows);
}

function forms(): string {
  return table(
    ["form", "meaning"],
    Object.entries(weakerForms).map(([form, meaning]) => [code(form), meaning]),
  );
}

const columns: readonly HostAction[] = [
  "block",
  "ask",
  "allow",
  "redact",
  "modify",
  "truncate",
  "drop",
  "inject_message",
  "inject_append",
  "inject_system",
];

/** One deciding or transforming event: its hosts by the actions that any of them honours. */
function section(event: EventName): string {
  const having = hostNames.filter((host) => hostEvent(host, event) !== undefined);
  if (having.length === 0) return `## ${code(event)}\n\nNo host delivers it.\n`;
  const shown = columns.filter((action) => having.some((host) => enforceable(host, event, action).level !== "none"));
  const rows = having.map((host) => [
    code(host),
    namesOf(host, event),
    ...shown.map((a) => cell(host, event, a)),
    noteOf(host, event),
  ]);
  return `## ${code(event)}\n\n${table(["host", "its name", ...shown, "note"], rows)}\n`;
}

function cell(host: HostName, event: EventName, action: HostAction): string {
  const answer = enforceable(host, event, action);
  return answer.level === "none" ? "" : answer.level === "full" ? "full" : code(answer.form);
}

function namesOf(host: HostName, event: EventName): string {
  return (hostEvent(host, event)?.names ?? []).map(code).join(", ");
}

/** Returns the note of a row, and the difference if the event fails in another way than a tool call. */
function noteOf(host: HostName, event: EventName): string {
  const row = hostEvent(host, event);
  const fails = Object.entries(row?.fails ?? {}).map(([what, mode]) => `${what}: ${mode}`);
  return [...(row?.note === undefined ? [] : [row.note]), ...fails].join("; ");
}

function observed(): string {
  const rows = eventNames
    .filter((name) => eventKind(name) === "observe")
    .map((name) => {
      const having = hostNames.filter((host) => hostEvent(host, name) !== undefined);
      return [code(name), having.map((host) => seenBy(host, name)).join("; ")];
    });
  return table(["event", "hosts, with their names"], rows);
}

function seenBy(host: HostName, event: EventName): string {
  const names = (hostEvent(host, event)?.names ?? []).filter((name) => name !== event);
  const inject = enforceable(host, event, "inject_message");
  const more = [
    ...(names.length > 0 ? [names.map(code).join(", ")] : []),
    ...(inject.level === "none" ? [] : [`inject: ${inject.level === "full" ? "full" : code(inject.form)}`]),
    ...(noteOf(host, event) === "" ? [] : [noteOf(host, event)]),
  ];
  return more.length === 0 ? code(host) : `${code(host)} (${more.join("; ")})`;
}

function about(host: HostName): string {
  const { title, tools, notes }: HostRow = hosts[host];
  const named = Object.entries(tools).map(([tool, names]) => `${code(tool)}: ${names.map(code).join(", ")}`);
  const lines = [...notes, ...(named.length > 0 ? [`tools: ${named.join("; ")}`] : [])];
  return lines.length === 0 ? "" : `## ${title}\n\n${lines.map((line) => `- ${line}`).join("\n")}\n`;
}
