import { type Field, homeField, literalField, rewritten, textOfField, withText } from "../shell/fields.ts";
import { beginsOpen } from "./addresses.ts";
import { composeProject, composeSubcommands } from "./compose.ts";
import {
  composeGrammar,
  containerEngines,
  engineGlobals,
  execGrammar,
  registryOf,
  runGrammar,
  serviceGrammar,
} from "./container-grammar.ts";
import { optionList } from "./grammar.ts";
import { deviceOf, mountsOf } from "./mounts.ts";
import { operate } from "./operations.ts";
import { type Call, type Effects, exactly, type Program, type Subcommand, subcommand } from "./program.ts";
import { spelled } from "./spelled.ts";

function pulls(call: Call): void {
  for (const image of call.operands) call.to.network(registryOf(image), "download");
}

function pushes(call: Call): void {
  for (const image of call.operands) {
    call.to.network(registryOf(image), "upload");
    call.to.config(spelled`docker publish image/${image}`);
  }
}

const mightyOptions: readonly (readonly [option: string, value: RegExp | undefined, right: string])[] = [
  ["--privileged", undefined, "privileged"],
  ["--pid", /^host$/, "host/pid"],
  ["--network", /^host$/, "host/network"],
  ["--ipc", /^host$/, "host/ipc"],
  ["--userns", /^host$/, "host/userns"],
  ["--cap-add", /^(?:cap_)?(?:all|sys_admin|sys_ptrace|sys_module|dac_read_search|sys_rawio)$/i, "capability"],
  ["--security-opt", /unconfined|disable/i, "unconfined"],
  ["--device", /./, "device"],
];

const engineSocket =
  /^(?:\/var)?\/run\/(?:user\/\d+\/)?(?:docker|podman\/podman|containerd\/containerd|crio\/crio)\.sock$/;

/** Folders that hold the engine's socket. */
const aboveSocket = /^\/(?:(?:var\/)?run\/?|var\/?)?$/;

function grantsEngine(call: Call): void {
  call.to.config("docker grant engine");
  call.to.doubt("the container may control the container engine");
}

/** Mounts and rights of a new container: its bind mounts are read and, unless read-only, written, with all beneath. */
function opens(call: Call): void {
  for (const mount of mountsOf(call.args)) {
    call.to.read(mount.source, { recursive: true });
    if (!mount.readonly) writesBelow(call, mount.source);
    if (engineSocket.test(mount.source.text) || aboveSocket.test(mount.source.text)) grantsEngine(call);
  }
  if (call.has("--use-api-socket")) grantsEngine(call);
  for (const [option, value, right] of mightyOptions)
    if (call.has(option) && (!value || call.values(option).some((one) => value.test(one.text))))
      call.to.config(`docker grant ${right}`);
  for (const file of call.values("--env-file")) call.to.read(file);
  const id = call.value("--cidfile");
  if (id) call.to.write(id);
}

/** `service create`, `service update`, `pod create`: mounts and rights as of a container, and the change. */
const opening =
  (kind: string): Effects =>
  (call) => {
    opens(call);
    const name = call.value("--name");
    const named = name && call.subcommand.endsWith("create") ? [name] : call.operands.slice(0, 1);
    operate(call, "docker", call.subcommand.split(" ").at(-1) ?? "", kind, named);
  };

/** `volume create --opt device=/folder`: whoever mounts the volume reads and writes that folder. */
const makesVolume: Effects = (call) => {
  const folder = deviceOf(call.args);
  if (folder) call.to.read(folder, { recursive: true });
  if (folder) writesBelow(call, folder);
  change("volume")(call);
};

function writesBelow(call: Call, folder: Field): void {
  call.to.write(folder);
  const below = `${folder.text.replace(/\/$/, "")}/**`;
  if (folder.kind !== "unknown") call.to.write({ ...withText(folder, below), glob: true, kind: "pattern" });
}

/** `docker run image`: the image's own command is not known; a command behind it is judged on its own. */
function runs(call: Call): void {
  opens(call);
  const [image] = call.operands;
  if (!image) return;
  call.to.network(registryOf(image), "download");
  call.to.run(`image ${image.text}`, image.kind === "literal");
  call.to.doubt("what runs in the container is not known");
}

function executes(call: Call): void {
  if (call.has("--privileged")) call.to.config("docker grant privileged");
  const command = call.operands.slice(1).map((word) => word.text);
  call.to.run(command.join(" ") || `${call.program} exec`);
  call.to.doubt("what runs in the container is not known");
}

function builds(call: Call): void {
  const [context] = call.operands;
  if (context && /^(?:https?:|git@|git:|github\.com\/)/.test(context.text)) {
    call.to.network(context, "download");
    call.to.install("docker", /\.git(?:#|$)|^git|^github/.test(context.text) ? "git" : "url", textOfField(context));
  } else if (context && context.text !== "-") {
    if (beginsOpen(context)) call.to.network(context, "download");
    call.to.read(context, { recursive: true });
  }
  for (const name of ["--file", "--secret", "--env-file"])
    for (const value of call.values(name)) {
      const path = name === "--secret" ? /(?:^|,)(?:src|source)=([^,]+)/.exec(value.text)?.[1] : value.text;
      if (path !== undefined && path !== "-") call.to.read(withText(value, path));
    }
  for (const value of call.values("--output")) {
    const path = /(?:^|,)dest=([^,]+)/.exec(value.text)?.[1] ?? (value.text.includes("=") ? undefined : value.text);
    if (path !== undefined && path !== "-") call.to.write(withText(value, path));
  }
  for (const mount of mountsOf(call.args)) {
    call.to.read(mount.source, { recursive: true });
    if (!mount.readonly) writesBelow(call, mount.source);
  }
  for (const name of ["--iidfile", "--metadata-file"]) for (const file of call.values(name)) call.to.write(file);
  call.to.network("registry-1.docker.io/v2/", "download");
  if (call.has("--push")) call.to.network("registry-1.docker.io/v2/", "upload");
  call.to.run(`${call.program} build`);
}

/** `docker cp`: a place with a colon is in a container. */
function copies(call: Call): void {
  const [from, to] = call.operands;
  const inside = (place: Field | undefined): boolean => /^[^/.][^/]*:/.test(place?.text ?? "");
  if (from && !inside(from) && from.text !== "-") call.to.read(from, { recursive: true });
  if (to && !inside(to) && to.text !== "-") call.to.write(to);
}

const remove =
  (kind: string): Effects =>
  (call) => {
    const names = call.has("--all") ? [literalField("*", call.draft.place)] : call.operands;
    operate(call, "docker", "delete", kind, names);
    // What still runs is ended first: by force, and always where a service or stack is removed.
    const ends = /^(?:service|stack)$/.test(kind) || (/^(?:container|pod)$/.test(kind) && call.has("--force"));
    for (const name of ends ? names : []) call.to.kill(spelled`${kind}/${name}`, name.kind === "literal");
  };

const prune =
  (kind: string): Effects =>
  (call) => {
    call.to.config(`docker delete ${kind}/*`);
    if (kind === "system" && call.has("--volumes")) call.to.config("docker delete volume/*");
  };

/** `docker stop x`, `podman stop --all`: ends containers, or everything that the engine runs. */
const ends: Effects = (call) => {
  for (const name of call.operands) call.to.kill(spelled`container/${name}`, name.kind === "literal");
  if (unnamed.some((option) => call.has(option))) call.to.kill("container/*");
};

/** Options that name containers by other means than their names. */
const unnamed = ["--all", "--latest", "--filter", "--cidfile", "--running"];

/** `podman pod stop x`: ends what a pod or a machine runs. */
const endsGroup =
  (kind: string): Effects =>
  (call) => {
    change(kind)(call);
    for (const name of call.operands) call.to.kill(spelled`${kind}/${name}`, name.kind === "literal");
    if (call.has("--all") || (kind === "machine" && call.operands.length === 0)) call.to.kill(`${kind}/*`);
  };

/** Changes of one kind of things. `docker service scale web=0` ends the service. */
const change =
  (kind: string): Effects =>
  (call) => {
    const verb = call.subcommand.split(" ").at(-1) ?? "";
    const names =
      verb === "scale"
        ? call.operands.map((one) => rewritten(one, (text) => text.replace(/=.*$/s, "")))
        : call.operands;
    operate(call, "docker", verb, kind, names);
    if (verb !== "scale") return;
    for (const [i, name] of names.entries())
      if (/=0*$/.test(call.operands[i]?.text ?? "")) call.to.kill(spelled`${kind}/${name}`, name.kind === "literal");
  };

function logs(call: Call): void {
  if (call.subcommand === "logout") return;
  const [host] = call.operands;
  call.to.network(host ?? "https://index.docker.io/v1/", "upload");
  call.to.write(homeField("~/.docker/config.json", call.draft.place));
}

function saves(call: Call, option = "--output"): void {
  const output = call.value(option);
  if (output) call.to.write(output);
}

function loads(call: Call): void {
  const input = call.value("--input");
  if (input) call.to.read(input);
  const [source] = call.operands;
  if (call.subcommand.endsWith("import") && source && source.text !== "-") {
    const isAddress = source.text.includes("://");
    if (isAddress || beginsOpen(source)) call.to.network(source, "download");
    if (!isAddress) call.to.read(source);
  }
}

const filters = ["-f --filter=", "--format=", "-q --quiet", "-a --all", "--no-trunc", "-n --last="];
const compose = composeSubcommands({ run: runs, exec: executes, cp: copies });

/** A subcommand whose own subcommands are not all known. */
function group(name: string, subcommands: readonly Subcommand[]): Subcommand {
  return {
    names: name.split(" "),
    grammar: { stop: true },
    subcommands,
    effects: (call) => {
      if (call.operands.length > 0) call.to.doubt(`what \`${call.program} ${call.subcommand}\` does is not known`);
    },
  };
}

const buildOptions = optionList(`
    -t --tag=; -f --file=; --build-arg=; --build-context=; --cache-from=; --cache-to=; --target=; --platform=; --label=;
    --network=; --secret=; --ssh=; -v --volume=; -o --output=; --iidfile=; --metadata-file=; --progress=; --pull; --push; --load;
    --no-cache; -q --quiet; --rm; --add-host=; --builder=; -m --memory=; --squash; --env-file=; --allow=; --attest=
  `);

/** `docker inspect -f '{{.Config.Env}}'`: the variables of a container, which hold the values that it was given. */
function shows(call: Call): void {
  if (/\.Env\b/.test(call.value("--format")?.text.slice(0, 4096) ?? ""))
    call.to.read(literalField("/proc/1/environ", call.draft.place));
}

const containerVerbs: readonly Subcommand[] = [
  { names: ["run", "create"], grammar: runGrammar, effects: runs },
  { names: ["exec"], grammar: execGrammar, effects: executes },
  subcommand("inspect", ["-f --format=", "-s --size", "--type="], shows),
  subcommand("ps ls list logs top stats port diff wait attach", [
    ...filters,
    "--tail=",
    "--since=",
    "--until=",
    "-t --timestamps",
  ]),
  subcommand("rm", ["-f --force", "-v --volumes", "-l --link", "-a --all", "-t --time="], remove("container")),
  subcommand(
    "stop kill pause restart",
    [
      "-s --signal=",
      "-t --time --timeout=",
      "-a --all",
      "-i --ignore",
      "-f --filter=",
      "--cidfile=",
      "-l --latest",
      "--running",
    ],
    ends,
  ),
  subcommand("start unpause", ["-a --attach", "-i --interactive"], (call) =>
    call.to.run(`container ${call.operands[0]?.text ?? ""}`.trim()),
  ),
  subcommand("cp", ["-a --archive", "-L --follow-link", "-q --quiet"], copies),
  subcommand("commit", ["-m --message=", "-a --author=", "-c --change=", "-p --pause"]),
  subcommand("rename update", ["--restart=", "-m --memory=", "--cpus="], change("container")),
  subcommand("export", ["-o --output="], saves),
];

/** `podman kube down f`: ends the pods that a file describes. */
function kubeDown(call: Call): void {
  for (const file of call.operands) if (file.text !== "-") call.to.read(file);
  call.to.kill("pod/*");
}

/** `podman kube play f`: runs the pods that a file describes. */
function kubePlay(call: Call): void {
  if (call.has("--down")) return kubeDown(call);
  for (const file of call.operands) if (file.text !== "-") call.to.read(file);
  if (call.has("--replace")) call.to.kill("pod/*");
  call.to.network("registry-1.docker.io/v2/", "download");
  call.to.run(`${call.program} ${call.subcommand}`);
  call.to.doubt("what runs in the pods is not known");
}

const pruneOptions = ["-a --all", "-f --force", "--filter=", "--volumes"];

const engineVerbs: readonly Subcommand[] = [
  ...containerVerbs,
  subcommand("images search history version info events", filters),
  subcommand("pull", ["-a --all-tags", "--platform=", "-q --quiet", "--disable-content-trust"], pulls),
  subcommand("push", ["-a --all-tags", "-q --quiet", "--disable-content-trust"], pushes),
  subcommand("build", buildOptions, builds),
  subcommand("tag", []),
  subcommand("rmi", ["-f --force", "--no-prune", "-a --all"], remove("image")),
  subcommand("save", ["-o --output=", "--format="], saves),
  subcommand("load import", ["-i --input=", "-q --quiet", "-c --change=", "-m --message="], loads),
  subcommand("login logout", ["-u --username=", "-p --password=", "--password-stdin"], logs),
  { names: ["compose"], grammar: composeGrammar, subcommands: compose, effects: composeProject },
  group("container", [
    ...containerVerbs,
    subcommand("checkpoint", ["-k --keep", "-a --all", "-l --latest"], ends),
    subcommand("prune", pruneOptions, prune("container")),
  ]),
  group("image", [
    subcommand("ls list inspect history", filters),
    subcommand("pull", ["--platform="], pulls),
    subcommand("push", [], pushes),
    subcommand("build", buildOptions, builds),
    subcommand("rm", ["-f --force"], remove("image")),
    subcommand("prune", pruneOptions, prune("image")),
    subcommand("save", ["-o --output="], saves),
    subcommand("load import", ["-i --input="], loads),
    subcommand("tag", []),
  ]),
  ...["volume", "network", "secret", "context", "pod", "machine", "plugin"].map((kind) =>
    group(kind, [
      subcommand("ls list inspect ps show logs", filters),
      subcommand("rm remove", ["-f --force", "-t --time="], remove(kind)),
      subcommand("prune", pruneOptions, prune(kind)),
      ...(kind === "pod" ? [{ names: ["create"], grammar: runGrammar, effects: opening("pod") }] : []),
      ...(kind === "volume"
        ? [subcommand("create", ["-d --driver=", "--label=", "-o --opt=", "--name="], makesVolume)]
        : []),
      ...(kind === "pod" || kind === "machine"
        ? [subcommand("stop kill restart pause", ["-a --all", "-t --time=", "-s --signal="], endsGroup(kind))]
        : []),
      subcommand(
        "create use connect disconnect update start stop install enable disable",
        ["-d --driver=", "--label=", "-o --opt=", "--subnet="],
        change(kind),
      ),
    ]),
  ),
  group("kube", [
    subcommand("play", ["--down", "--replace", "--network=", "-q --quiet", "--configmap=", "--start=?"], kubePlay),
    subcommand("down", ["-f --force"], kubeDown),
    subcommand("generate", ["-f --filename=", "-s --service"], (call) => saves(call, "--filename")),
  ]),
  group("play", [subcommand("kube", ["--down", "--replace", "--network=", "-q --quiet", "--configmap="], kubePlay)]),
  group("system", [
    subcommand("df info events", filters),
    subcommand("prune", pruneOptions, prune("system")),
    subcommand("reset", ["-f --force"], (call) => call.to.config("docker delete system/*")),
  ]),
  group("builder buildx", [
    subcommand("build bake", buildOptions, builds),
    subcommand("ls inspect du version", filters),
    subcommand("prune", pruneOptions, prune("builder")),
    subcommand("create use stop rm", ["--name=", "--driver=", "--use", "--bootstrap"], change("builder")),
  ]),
  ...["swarm", "service", "stack", "node"].map((kind) =>
    group(kind, [
      subcommand("ls ps inspect logs services", filters),
      subcommand("rm leave", ["-f --force"], remove(kind)),
      ...(kind === "service"
        ? [{ names: ["create", "update"], grammar: serviceGrammar, effects: opening("service") }]
        : []),
      subcommand(
        "init join create update deploy scale rollback promote demote",
        ["-c --compose-file=", "--name=", "--replicas=", "--image="],
        change(kind),
      ),
    ]),
  ),
];

/** Reports the remote daemon that a call uses. */
function daemon(call: Call): void {
  for (const name of ["--host", "--url"])
    for (const host of call.values(name)) if (!/^unix:/.test(host.text)) call.to.network(host, "both");
  if (call.subcommand !== "" || call.operands.length === 0) return;
  call.to.run(`${call.program} ${call.operands[0]?.text ?? ""}`);
  call.to.doubt(`what \`${call.program} ${call.operands[0]?.text ?? ""}\` does is not known`);
}

/** Container engines and compose. Source: docker(1) and similar pages. */
export const containerPrograms: readonly Program[] = (
  [
    { names: containerEngines, grammar: engineGlobals, subcommands: engineVerbs, effects: daemon },
    {
      names: ["docker-compose", "podman-compose"],
      grammar: composeGrammar,
      subcommands: compose,
      effects: (call) => {
        if (call.subcommand === "" && call.operands.length > 0) call.to.doubt("the subcommand of compose is not known");
      },
    },
  ] satisfies readonly Program[]
).map((row) => exactly<Program>(row));
