import { beginsOpen } from "./addresses.ts";
import { registryOf } from "./container-grammar.ts";
import { namesHost } from "./named-hosts.ts";
import { verbKind } from "./operations.ts";
import type { Call } from "./program.ts";

/** Whether a client asks its service for something, changes something there, or both may be. */
type Direction = "upload" | "download" | "both";

/**
 * Returns the address of a service that only the client's own settings name, such as the cluster of the current context. Its
 * host is always `configured`: a plain name, because an unknown host might be each host of a list, and every call of the
 * client would be asked about.
 */
export function configured(system: string): string {
  return `${system}://configured/`;
}

/** One client: the subcommands that stay on this machine, those that only ask, and those that do both; all others change. */
interface Client {
  readonly names: string;
  readonly address: string;
  readonly local: string;
  readonly asks: string;
  readonly both?: string;
  /** True where options or operands keep a call on this machine. */
  readonly staysHere?: (call: Call, verb: string) => boolean;
  /** True where options make a changing call ask only. */
  readonly onlyAsks?: (call: Call, verb: string) => boolean;
}

const kubernetesDry = (call: Call): boolean =>
  call.has("--dry-run") && !/^(?:none|false|f|0)$/i.test(call.value("--dry-run")?.text ?? "");

const clients: readonly Client[] = [
  {
    names: "kubectl oc k",
    address: configured("kubernetes"),
    local: "config completion kustomize options plugin help login",
    asks: `get describe logs top explain api-resources api-versions version cluster-info events wait diff auth whoami status
      rollout/status rollout/history adm/top`,
    both: "exec attach debug rsh port-forward proxy cp run",
    staysHere: (call, verb) =>
      call.has("--local") ||
      (verb === "version" && call.words.some(({ text }) => /^--client(?:=true)?$/.test(text))) ||
      (/^(?:create|run|expose)$/.test(verb) && kubernetesDry(call) && call.value("--dry-run")?.text !== "server"),
    onlyAsks: (call, verb) => verb !== "cp" && kubernetesDry(call) && call.value("--dry-run")?.text !== "server",
  },
  {
    names: "helm",
    address: configured("kubernetes"),
    local:
      "template lint package create env version verify help completion plugin repo show search registry push pull fetch dependency dep",
    asks: "list ls get status history",
    onlyAsks: kubernetesDry,
  },
  { names: "stern", address: configured("kubernetes"), local: "", asks: "*" },
  { names: "k9s", address: configured("kubernetes"), local: "version info help", asks: "", both: "*" },
  {
    names: "terraform tofu terragrunt",
    address: configured("terraform"),
    local: "fmt hclfmt hclvalidate validate version graph console metadata modules providers help init login logout",
    asks: `plan show get output providers/lock providers/mirror state/list state/show state/pull workspace/list workspace/show
      workspace/select run-all/plan run-all/output run-all/validate`,
    staysHere: (call, verb) =>
      call.has("-help") || call.has("-version") || (verb === "show" && call.operands.length > 0),
  },
  {
    names: "pulumi",
    address: "https://api.pulumi.com/",
    local: "version about config help",
    asks: "preview whoami logs history stack/ls stack/output stack/history stack/graph stack/export",
  },
  {
    names: "cdk cdktf sst serverless sls",
    address: "https://cloudformation.amazonaws.com/",
    local: "version synth list ls doctor help docs",
    asks: "preview diff logs history",
  },
  { names: "eksctl", address: "https://eks.amazonaws.com/", local: "version help completion", asks: "get list info" },
  { names: "kops", address: configured("kops"), local: "version help completion", asks: "get list validate describe" },
  { names: "packer", address: configured("packer"), local: "validate inspect version fmt fix help", asks: "init" },
  ...["nomad", "consul"].map(
    (name): Client => ({
      names: name,
      address: configured(name),
      local: "version fmt validate help job/validate job/init",
      asks: "status members info inspect",
      onlyAsks: (call) =>
        call.operands.slice(0, 2).some((word) => word.kind === "literal" && verbKind(word.text) === "reads"),
    }),
  ),
  { names: "salt", address: configured("salt"), local: "", asks: "", both: "*" },
  { names: "chef-client fab", address: configured("fleet"), local: "version help", asks: "", both: "*" },
  { names: "puppet", address: configured("puppet"), local: "apply parser validate version help module", asks: "agent" },
];

interface Row extends Client {
  readonly verbs: ReadonlyMap<string, Direction | "local">;
}

const split = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

const rows: ReadonlyMap<string, Row> = new Map(
  clients.flatMap((client) => {
    const verbs = new Map<string, Direction | "local">();
    for (const word of split(client.local)) verbs.set(word, "local");
    for (const word of split(client.asks)) verbs.set(word, "download");
    for (const word of split(client.both ?? "")) verbs.set(word, "both");
    return split(client.names).map((name) => [name, { ...client, verbs }] as const);
  }),
);

/** Reports the request to the service that a client talks to, where the client's row reports none. */
export function reportService(call: Call): void {
  const row = rows.get(call.program);
  if (row) reaches(call, row);
  more.get(call.program)?.(call);
}

/** The first two words of the subcommand; the second may be an operand. */
function verbsOf(call: Call): readonly [string, string] {
  const chain = call.subcommand === "" ? [] : call.subcommand.split(" ");
  const [first = "", second = ""] = [...chain, ...call.operands.map((word) => word.text)];
  return [first, second];
}

function reaches(call: Call, row: Row): void {
  const [verb, second] = verbsOf(call);
  const isOpen = call.subcommand === "" && call.operands[0] !== undefined && call.operands[0].kind !== "literal";
  if ((verb === "" && !isOpen && !row.verbs.has("*")) || names(call) || row.staysHere?.(call, verb)) return;
  if (verb === "" && call.words.some(({ text }) => /^--?(?:help|version)$/.test(text))) return;
  const told = row.verbs.get(`${verb}/${second}`) ?? row.verbs.get(verb) ?? row.verbs.get("*") ?? "upload";
  if (told === "local") return;
  const direction = isOpen ? "both" : told === "upload" && row.onlyAsks?.(call, verb) ? "download" : told;
  call.to.network(row.address, direction);
}

/** True where the call itself names the host, which is reported as such. */
function names(call: Call): boolean {
  return namesHost(call.draft) || call.values("--server").length > 0;
}

/** `helm`: charts come from repositories that are named in its settings, unless the chart is a folder, a file or an address. */
function charts(call: Call): void {
  const [verb, second] = verbsOf(call);
  const isUpdate = verb === "repo" ? /^(?:update|up)$/.test(second) : /^(?:update|up|build)$/.test(second);
  if (/^(?:repo|dependency|dep)$/.test(verb)) {
    if (isUpdate) call.to.network(configured("helm"), "download");
  } else if (verb === "search" && second === "hub") call.to.network("https://hub.helm.sh/", "download");
  else if (verb === "registry") {
    const [what, host] = call.operands;
    if (what?.text === "login" && host && !host.text.includes("://")) call.to.network(host, "upload");
  } else if (/^(?:pull|fetch|show|template|install|upgrade)$/.test(verb) && call.values("--repo").length === 0) {
    // A chart of a repository has one slash in its name, and begins with no sign of a path.
    const chart = call.operands.some(
      (word) => /^[\w][\w.-]*\/[\w.-]+$/.test(word.text) && !/\.(?:tgz|ya?ml)$/.test(word.text),
    );
    if (chart) call.to.network(configured("helm"), "download");
  }
}

/** `ansible`: the hosts of the inventory, unless nothing connects or the only host is this one. */
function managed(call: Call): void {
  const dry = ["--syntax-check", "--list-hosts", "--list-tasks", "--version"].some((name) => call.has(name));
  if (dry || call.operands.length === 0 || call.value("--connection")?.text === "local") return;
  const lists = call.values("--inventory").filter((value) => value.text.includes(","));
  const listed = lists.flatMap((value) => value.text.split(",").map((text) => ({ value, text: text.trim() })));
  const isLocal = (text: string): boolean => /^(?:localhost|127\.0\.0\.1)?$/.test(text);
  if (call.program === "ansible" && isLocal(call.operands[0]?.text ?? "")) return;
  for (const { value, text } of listed)
    if (!isLocal(text)) call.to.network({ ...value, text: `ssh://${text}`, verbatim: -1 }, "both");
  if (lists.length === 0) call.to.network(configured("ssh"), "both");
}

/** Subcommands of container engines that reach a registry, beside `pull`, `push`, `run` and `build`. */
function registries(call: Call): void {
  const [first] = verbsOf(call);
  const group = /^(?:buildx|builder)$/.test(first) ? "imagetools" : first;
  if (!engineVerbs.test(group)) return;
  const words = call.words.filter(({ text }) => !text.startsWith("-"));
  const at = words.findIndex(({ text }) => text === group);
  if (at < 0) return;
  const [verb = "", second = "", third = ""] = words.slice(at).map(({ text }) => text);
  const rest = words.slice(at + 2);
  const image = rest.at(-1);
  if (verb === "search") call.to.network("https://index.docker.io/", "download");
  else if (verb === "imagetools")
    for (const one of rest) call.to.network(registryOf(one), second === "create" ? "upload" : "download");
  else if (/^(?:manifest|artifact)$/.test(verb) && image && /^(?:push|pull|inspect|create)$/.test(second))
    call.to.network(registryOf(image), second === "push" ? "upload" : "download");
  else if (verb === "trust" && image && /^(?:sign|revoke)$/.test(second)) call.to.network(registryOf(image), "upload");
  else if (verb === "plugin" && second === "install" && third !== "" && image)
    call.to.network(registryOf(image), "download");
  else if (verb === "swarm" && second === "join" && image) call.to.network(image, "upload");
  else if (verb === "service" && /^(?:create|update)$/.test(second)) call.to.network(hub, "download");
  else if (verb === "stack" && second === "deploy") call.to.network(hub, "download");
}

const engineVerbs = /^(?:search|imagetools|manifest|artifact|trust|plugin|swarm|service|stack)$/;
const hub = "registry-1.docker.io/v2/";

/** Version controls other than git: an address in the words, or the place that the repository's settings name. */
function otherRepositories(call: Call): void {
  const chain = call.subcommand === "" ? [] : call.subcommand.split(" ");
  const verbs = [...chain, ...call.operands.map((word) => word.text)];
  const [verb = "", second = ""] = verbs;
  const program = call.program === "chg" ? "hg" : call.program;
  const name = program === "jj" ? (verb === "git" ? second : "") : verb;
  const direction = repositoryVerbs(program).get(name);
  if (!direction) return;
  const places = call.operands.filter((word) => /^[a-z][a-z0-9+-]*:\/\/|^[^/:@\s]+@[^/:@\s]+:/i.test(word.text));
  const open = call.operands.filter((word) => beginsOpen(word) && !places.includes(word));
  for (const place of [...places, ...open]) call.to.network(place, direction);
  if (places.length > 0 || name === "clone") return;
  const remote = call.value("--remote");
  const [first] = call.operands;
  if (program === "svn") call.to.network(configured("svn"), direction);
  else if (program === "jj") call.to.network(remote ?? "origin", direction);
  else if (first && name !== "update" && /^[\w-]+$/.test(first.text) && chain.length > 0)
    call.to.network(first, direction);
  else call.to.network("default", direction);
}

const verbTable = (uploads: string, downloads: string): ReadonlyMap<string, Direction> =>
  new Map([
    ...split(uploads).map((word) => [word, "upload"] as const),
    ...split(downloads).map((word) => [word, "download"] as const),
  ]);

const svnVerbs = verbTable("commit ci lock unlock import", "checkout co update up export switch sw");
const jjVerbs = verbTable("push", "fetch clone");
const hgVerbs = verbTable("push", "pull clone incoming outgoing fetch");
const repositoryVerbs = (program: string): ReadonlyMap<string, Direction> =>
  program === "svn" ? svnVerbs : program === "jj" ? jjVerbs : hgVerbs;

const more: ReadonlyMap<string, (call: Call) => void> = new Map([
  ["helm", charts],
  ...["ansible", "ansible-playbook", "ansible-pull"].map((name) => [name, managed] as const),
  ...["docker", "podman", "nerdctl", "finch"].map((name) => [name, registries] as const),
  ...["hg", "chg", "sl", "svn", "jj"].map((name) => [name, otherRepositories] as const),
]);
