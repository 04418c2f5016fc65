import type { Draft } from "../shell/draft.ts";
import { type Field, rewritten, textOfField } from "../shell/fields.ts";
import { serviceOptions } from "./forwarders.ts";
import { optionList } from "./grammar.ts";
import { type Call, type Program, program, type Reporter } from "./program.ts";
import { wordsOf } from "./spelled.ts";

const machineStates =
  "poweroff|reboot|soft-reboot|halt|kexec|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|rescue|emergency|exit|shutdown";

/** Verbs that end or halt the whole machine, or all but one user's part of it, and the targets which do that when they start. */
const stopsMachine = new RegExp(`^(?:${machineStates})$`);
const stopsAsTarget = new RegExp(
  `^(?:(?:${machineStates}|final|umount|ctrl-alt-del|runlevel[016])\\.target|runlevel[016])$`,
);

/** Verbs that start units; the first two also end every unit that the new ones do not need. */
const starts = /^(?:isolate|default|start|restart|reload-or-restart)$/;
const isolates = /^(?:isolate|default)$/;

/** Verbs that only tell something. */
const asks =
  /^(?:status|show|show-environment|list|list-.*|is-.*|cat|help|get-default|print|print-.*|blame|dumpstate|managername|check|pid|tail|maintail|avail|version|query|describe|show-.*|.*-status|hostinfo|error|getenv|procinfo|plist|examine|manager\w+|resolveport|variant|(?:config|check|test)-?(?:test|config))$/;

/** Verbs that end the services they name, also those that start them again. */
const ends =
  /^(?:stop|kill|restart|(?:try-|cond)restart|(?:try-)?reload-or-restart|(?:force|once)-stop|force-(?:restart|shutdown|exit)|bootout|unload|remove|signal|down|term|exit|shutdown|zap|(?:kill|terminate)-(?:session|user|seat)|force-reload|(?:one|fast|force)(?:stop|restart)|quit|int|abort)$/;

/** Verbs that end a service with an option alone: `disable --now`, `kickstart -k`. */
const endsNow: ReadonlyMap<string, string> = new Map([
  ["disable", "--now"],
  ["mask", "--now"],
  ["kickstart", "-k"],
]);

/** Verbs whose first operand is a signal: `launchctl kill TERM x`, `supervisorctl signal HUP x`. */
const signalFirst: ReadonlySet<string> = new Set(["launchctl kill", "supervisorctl signal"]);

/** Returns the services of a call. A domain of `launchctl` names none where a file or label comes behind it. */
function targetsOf(call: Call, verb: Field, units: readonly Field[]): readonly Field[] {
  if (signalFirst.has(`${call.program} ${verb.text}`)) return units.slice(1);
  if (call.program === "launchctl" && /^(?:bootout|unload)$/.test(verb.text) && units.length > 1)
    return units.filter((unit) => !/^(?:system|(?:user|gui|login|pid)\/\d+)$/.test(unit.text));
  return units;
}

/** Reports the end of what a verb stops by what it starts: `isolate x.target`, `start poweroff.target`. */
function startsTargets(call: Call, verb: Field, units: readonly Field[]): void {
  if (!starts.test(verb.text)) return;
  if (units.some((unit) => stopsAsTarget.test(unit.text))) call.to.kill("system");
  else if (isolates.test(verb.text)) call.to.kill("every service");
}

/** Verbs that end every service when they name none. */
const endsEvery: ReadonlySet<string> = new Set(
  ["shutdown", "reload", "update"].map((verb) => `supervisorctl ${verb}`).concat("initctl shutdown"),
);

function changes(call: Call, verb: Field, operands: readonly Field[]): void {
  if (asks.test(verb.text)) return;
  const units = targetsOf(call, verb, operands);
  call.to.config(wordsOf(call.program, ...call.operands));
  if (call.program === "systemctl") startsTargets(call, verb, units);
  // `shutdown` of the other managers ends what they run; theirs is no machine.
  if (stopsMachine.test(verb.text) && (call.program === "systemctl" || verb.text === "reboot")) call.to.kill("system");
  if (units.length === 0 && endsEvery.has(`${call.program} ${verb.text}`)) call.to.kill("every service");
  if (call.program === "supervisorctl" && verb.text === "update")
    for (const unit of units) call.to.kill(textOfField(unit));
  const isOpen = verb.kind !== "literal";
  const option = endsNow.get(verb.text);
  if (!isOpen && !ends.test(verb.text) && (option === undefined || !call.has(option))) return;
  for (const unit of units) call.to.kill(textOfField(unit), !isOpen && unit.kind !== "unknown");
}

/** `systemctl stop nginx`: the verb, then the services. */
function verbFirst(call: Call): void {
  const [verb, ...units] = call.operands;
  // Another machine is reached by ssh.
  if (/^(?:systemctl|loginctl)$/.test(call.program))
    for (const host of call.values("--host"))
      call.to.network(
        rewritten(host, (text) => `ssh://${text}`),
        "both",
      );
  if (verb) changes(call, verb, units);
}

/** `service nginx stop`: the service, then the verb. */
function serviceFirst(call: Call): void {
  const [unit, verb] = call.operands;
  if (unit && verb) changes(call, verb, [unit]);
  if (!unit || verb || !call.has("--full-restart")) return;
  call.to.config(wordsOf(call.program, unit));
  call.to.kill(textOfField(unit), unit.kind !== "unknown");
}

const initScript = /^\/(?:usr\/local\/)?etc\/(?:rc\.d\/)?(?:init|rc)\.d\/([\w.@-]+)$/;

/** Reports the end of a service whose own script is called: `/etc/init.d/nginx stop`. */
export function reportInitScript(draft: Draft, to: Reporter): void {
  const service = draft.name.kind === "literal" ? initScript.exec(draft.name.text)?.[1] : undefined;
  const [verb] = draft.args;
  if (service === undefined || verb?.kind !== "literal" || !ends.test(verb.text)) return;
  to.config(`service ${service} ${verb.text}`);
  to.kill(service);
}

/** True for a verb that a manager of services has. */
function isServiceVerb(word: Field | undefined): boolean {
  const text = word?.text ?? "";
  return (
    [asks, ends, starts, stopsMachine, supervisorAsks, supervisorEnds].some((verbs) => verbs.test(text)) ||
    endsNow.has(text)
  );
}

const verbBegins = (operands: readonly Field[]): boolean => isServiceVerb(operands[0]);
const verbFollows = (operands: readonly Field[]): boolean => isServiceVerb(operands[1]);

/** Adds to rows where their verb stands. */
function withVerbs(begins: NonNullable<Program["begins"]>, ...rows: readonly Program[]): Program[] {
  return rows.map((row) => ({ ...row, begins }));
}

/** `sv` also knows its verbs by their first letter. */
function runit(call: Call): void {
  const [verb, ...units] = call.operands;
  if (!verb || /^(?:s|status|check)$/.test(verb.text)) return;
  call.to.config(wordsOf(call.program, ...call.operands));
  const isOpen = verb.kind !== "literal";
  if (isOpen || /^(?:d|t|k|x|e|i|q)$/.test(verb.text) || ends.test(verb.text))
    for (const unit of units) call.to.kill(textOfField(unit), !isOpen && unit.kind !== "unknown");
}

/** Verbs of programs that keep processes running, by which they only tell something. */
const supervisorAsks =
  /^(?:list|ls|l|jlist|prettylist|status|summary|report|show|describe|desc|info|logs?|monit|dash|env|pid|id|ping|version|help|get|validate|procmatch|.*-status|list-.*|columns|cleanlogs)$/;

/** Verbs by which such programs end or restart what they keep running. */
const supervisorEnds =
  /^(?:(?:graceful)?reload|stop|stopall|stopbypid|restart|restartall|delete|del|rm|remove|kill|quit|pause|sendSignal|signal|unmonitor|terminate|poweroff|reboot|decr)$/i;

/** A file whose code tells pm2 its services. */
const configFile = /\.(?:[cm]?[jt]s|json5?|ya?ml)$/;

function runsConfig(call: Call, file: Field): void {
  call.to.read(file);
  call.to.run(file.text, file.kind !== "unknown");
  call.to.doubt(`what ${call.program} runs is not analysed`);
}

/** `pm2 stop web`, `machinectl poweroff box`: ends processes or machines that the program keeps; its other verbs run something. */
function supervises(call: Call): void {
  const [verb, ...operands] = call.operands;
  if (!verb || supervisorAsks.test(verb.text)) return;
  if (verb.kind === "literal" && supervisorEnds.test(verb.text)) {
    const group = call.program === "monit" ? call.values("-g") : [];
    for (const file of operands) if (configFile.test(file.text)) runsConfig(call, file);
    const units = verb.text === "sendSignal" ? operands.slice(1) : operands.length > 0 ? operands : group;
    call.to.config(wordsOf(call.program, ...call.operands));
    for (const unit of units)
      call.to.kill(unit.text === "all" ? "every service" : textOfField(unit), unit.kind !== "unknown");
    if (units.length === 0 && /^(?:stopall|restartall|kill|quit|terminate)$/i.test(verb.text))
      call.to.kill("every service");
    return;
  }
  // These end a process before they start it again.
  const [first, count] = operands;
  const isOver = verb.text !== "disable" || call.program === "svcadm" || call.has("--now");
  const restarts = isOver && /^startOr|^disable$/.test(verb.text);
  if (first && (restarts || (verb.text === "scale" && count?.text === "0"))) call.to.kill(textOfField(first));
  call.to.run(call.program);
  call.to.doubt(`what \`${call.program} ${verb.text.slice(0, 40)}\` does is not known`);
}

/** `s6-svc -d /run/service/x`: an option tells what happens to the services. */
function controls(call: Call): void {
  if (call.operands.length === 0) return;
  call.to.config(wordsOf(call.program, ...call.operands));
  if (!call.words.some((word) => word.kind !== "literal" || /^-[a-zA-Z]*[dktxpqi]/.test(word.text))) return;
  for (const unit of call.operands) call.to.kill(textOfField(unit), unit.kind !== "unknown");
}

/** `s6-rc -d change web`: brings services down. */
function changesState(call: Call): void {
  const [verb, ...units] = call.operands;
  if (verb?.text !== "change" && verb?.text !== "stop") return;
  call.to.config(wordsOf(call.program, ...call.operands));
  if (verb.text === "change" && !call.has("-d") && !call.has("-D")) return;
  for (const unit of units) call.to.kill(textOfField(unit), unit.kind !== "unknown");
}

/** Programs that end the one service which they control, with the name of that service. */
const controlled: ReadonlyMap<string, string> = new Map([
  ["apachectl", "apache"],
  ["apache2ctl", "apache"],
  ["postfix", "postfix"],
  ["rndc", "named"],
]);

/** `apachectl -k stop`, `nginx -s quit`, `pg_ctlcluster 16 main stop`: a program that ends its own service, or starts it. */
function controlsOwn(call: Call): void {
  const isCluster = call.program === "pg_ctlcluster";
  const [first, second, third] = call.operands;
  const verb = call.program === "nginx" ? call.value("-s") : (call.value("-k") ?? (isCluster ? third : first));
  const name = isCluster ? second : undefined;
  const told = /^(?:nginx|apache)/.test(call.program) ? ["-t", "-T", "-v", "-V", "-h"] : ["-V", "-h"];
  if (told.some((option) => call.has(option)) || (verb && asks.test(verb.text))) return;
  if (verb?.kind === "literal" && /^(?:stop|quit|restart|halt|abort|graceful(?:-stop)?)$/.test(verb.text)) {
    call.to.config(wordsOf(call.program, ...call.operands));
    call.to.kill(name ? textOfField(name) : (controlled.get(call.program) ?? call.program));
    return;
  }
  call.to.run(call.program);
  call.to.doubt(`what ${call.program} runs is not analysed`);
}

/** `systemd-run --on-calendar daily words`, `systemd-run -H host words`: a timer, a call of another machine. */
function runsLater(call: Call): void {
  for (const host of call.values("--host"))
    call.to.network(
      rewritten(host, (text) => `ssh://${text}`),
      "both",
    );
  if (timers.some((option) => call.has(option))) call.to.config("cron set job");
}

const timers = ["active", "boot", "startup", "unit-active", "unit-inactive", "calendar"].map((when) => `--on-${when}`);

/** Managers of services. Source: their manuals. */
export const serviceManagers: readonly Program[] = [
  ...withVerbs(
    verbBegins,
    program(
      "systemctl loginctl",
      optionList(`
    -t --type=; --state=; -p --property=; -P=; -n --lines=; -o --output=; -H --host=; -M --machine=; --user; --now; -f --force;
    -q --quiet; -s --signal=; --kill-whom --kill-who=; --kill-value=; --job-mode=; --root=; --image=; --what=; --when=; --message=;
    --drop-in=; --timestamp=; --check-inhibitors=; --preset-mode=; --boot-loader-entry=; --boot-loader-menu=; --legend=; -l --full;
    -a --all; -r --recursive; --no-block; --wait; --runtime; --global; --no-pager; --no-ask-password; --dry-run; --value
  `),
      verbFirst,
    ),
    program("launchctl", optionList("-k; -p; -s; -w; -F; -D=; -S=; -e"), verbFirst),
    program(
      "supervisorctl",
      optionList("-c --configuration=; -s --serverurl=; -u --username=; -p --password=; -r; -i"),
      verbFirst,
    ),
    program("initctl", optionList("--session; --system; --dest=; --no-wait; -q --quiet; -v"), verbFirst),
  ),
  ...withVerbs(
    verbFollows,
    program(
      "service rc-service invoke-rc.d",
      optionList("--status-all; --full-restart; -q --quiet; -d --debug; -D --nodeps"),
      serviceFirst,
    ),
  ),
  { names: ["systemd-run"], grammar: { options: serviceOptions, stop: true }, effects: runsLater },
  program("sv", ["-v", "-w="], runit),
  program("svc s6-svc", ["-w=", "-T="], controls),
  program("s6-rc", ["-d", "-D", "-u", "-U", "-a", "-p", "-b", "-v=", "-t=", "-n=", "-l="], changesState),
  ...withVerbs(
    verbBegins,
    program(
      "rcctl svcadm dinitctl herd",
      optionList("-f; -t; -r; -s; -q; -p --socket-path=; -l --log=; -c="),
      supervises,
    ),
    program(
      "god",
      optionList("-c --config-path=; -p --port=; -l --log=; -P --pid=; --log-level=; -b; -D; -V"),
      supervises,
    ),
    program(
      "overmind",
      optionList(
        "-s --socket=; -S --network=; -f --procfile=; -l --processes=; -x --ignored-processes=; -m --formation=; -w --title=; -d --root=",
      ),
      supervises,
    ),
  ),
  program(
    "nginx apachectl apache2ctl postfix rndc pg_ctlcluster",
    optionList(
      "-s=; -k=; -c=; -g=; -p=; -D --pgdata=; -m --mode=; -t; -T; -v; -V; -h; -y=; -l --log=; -o=; -w; -W; -e=",
    ),
    controlsOwn,
  ),
  ...withVerbs(
    verbBegins,
    program(
      "machinectl",
      optionList(
        "-M --machine=; -s --signal=; --kill-whom=; -H --host=; -p --property=; -o --output=; -n --lines=; --now; -q; -l",
      ),
      supervises,
    ),
    program(
      "pm2 forever monit circusctl nssm",
      optionList(`
    -n --name=; -i --instances=; --watch; --env=; -s --silent; -o --output=; --lines=; -c=; -g=; -l --log=; -e --error=; --interpreter=; --endpoint=; --timeout=; --namespace=; --cron=; --max-memory-restart=
  `),
      supervises,
    ),
  ),
];
