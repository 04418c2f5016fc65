import { type Field, literalField, rewritten } from "../shell/fields.ts";
import { composeRunGrammar } from "./container-grammar.ts";
import { optionList } from "./grammar.ts";
import { operate } from "./operations.ts";
import { type Call, type Effects, type Subcommand, subcommand } from "./program.ts";
import { spelled } from "./spelled.ts";

/** Files of a compose project: those named, or the usual one in the working directory. */
export function composeProject(call: Call): void {
  const files = call.values("--file");
  if (files.length === 0) call.to.read(literalField("compose.yaml", call.draft.place));
  for (const file of [...files, ...call.values("--env-file")]) call.to.read(file);
}

/** The services that a call leaves without a container: `scale web=0`, `up --scale web=0`. */
function scaledToNothing(call: Call): readonly Field[] {
  const scaled = [...call.values("--scale"), ...(/scale$/.test(call.subcommand) ? call.operands : [])];
  return scaled
    .filter((one) => /=0*$/.test(one.text))
    .map((one) => rewritten(one, (text) => text.replace(/=.*$/s, "")));
}

/** Reports the end of containers whose services the files no longer name. */
function endOrphans(call: Call): void {
  if (call.has("--remove-orphans")) call.to.kill("compose/orphans");
}

function composeUp(call: Call): void {
  composeProject(call);
  if (["--force-recreate", "--renew-anon-volumes", "--always-recreate-deps"].some((option) => call.has(option)))
    endServices(call);
  for (const one of scaledToNothing(call)) call.to.kill(spelled`service/${one}`, one.kind === "literal");
  endOrphans(call);
  if (!/(?:^|\s)(?:up|build|pull|create|watch)$/.test(call.subcommand)) return;
  call.to.network("registry-1.docker.io/v2/", "download");
  call.to.run("compose services");
  if (/build$/.test(call.subcommand) || call.has("--build"))
    call.to.read(literalField(".", call.draft.place), { recursive: true });
}

/** `compose run`: like `run` of the engine, in the project's own networks. */
const composeRun =
  (run: Effects): Effects =>
  (call) => {
    run(call);
    endOrphans(call);
  };

/** Reports the end of the services that the call names, or of all. */
function endServices(call: Call): void {
  for (const one of call.operands) call.to.kill(spelled`service/${one}`, one.kind === "literal");
  if (call.operands.length === 0) call.to.kill("compose/*");
}

/** `restart` and `pause` end the work of services, which keep their containers. */
function composeRestart(call: Call): void {
  composeProject(call);
  endServices(call);
}

function composeDown(call: Call): void {
  composeProject(call);
  endServices(call);
  endOrphans(call);
  if (call.has("--volumes")) call.to.config("docker delete volume/*");
  if (call.has("--rmi")) call.to.config("docker delete image/*");
  if (/rm$/.test(call.subcommand))
    operate(
      call,
      "docker",
      "delete",
      "container",
      call.operands.length > 0 ? call.operands : [literalField("*", call.draft.place)],
    );
}

const composeOptions = optionList(`
    -d --detach; --build; --no-build; -v --volumes; --rmi=; -t --timeout=; --remove-orphans; -f --force; -s --stop;
    --scale=; --pull=; --wait; --no-deps; --force-recreate; -q --quiet; --profile=; -n --tail=; --follow; --since=;
    --format=; --status=; --abort-on-container-exit; --exit-code-from=; --attach=; --no-cache; --build-arg=; --ssh=;
    --dry-run; --wait-timeout=; --policy=; --index=; -y --yes; --watch; --until=; --no-attach=; --resolve-image-digests
  `);

/** Effects that subcommands of compose share with the engine's own. */
interface Shared {
  readonly run: Effects;
  readonly exec: Effects;
  readonly cp: Effects;
}

/** The subcommands of compose. Source: docker-compose(1). */
export function composeSubcommands({ run, exec, cp }: Shared): readonly Subcommand[] {
  return [
    { names: ["run"], grammar: composeRunGrammar, effects: composeRun(run) },
    { names: ["exec"], grammar: composeRunGrammar, effects: exec },
    subcommand(
      "up build pull create watch start unpause scale",
      [...composeOptions, "-V --renew-anon-volumes"],
      composeUp,
    ),
    subcommand("restart pause", composeOptions, composeRestart),
    subcommand("down stop rm", composeOptions, composeDown),
    subcommand("kill", ["-s --signal=", "--remove-orphans", "--dry-run"], composeDown),
    subcommand(
      "ps logs images config convert top port ls events version volumes stats",
      composeOptions,
      composeProject,
    ),
    subcommand("wait", ["--down-project"], (call) => {
      composeProject(call);
      if (call.has("--down-project")) call.to.kill("compose/*");
    }),
    subcommand("push", composeOptions, (call) => {
      composeProject(call);
      call.to.network("registry-1.docker.io/v2/", "upload");
    }),
    subcommand("cp", composeOptions, cp),
  ];
}
