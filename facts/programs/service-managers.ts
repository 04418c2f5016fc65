import { type Field, textOfField } from "../shell/fields.ts";
import { optionList } from "./grammar.ts";
import { type Call, type Program, program } from "./program.ts";
import { wordsOf } from "./spelled.ts";

/** Verbs that end or halt the whole machine, or all but one user's part of it. */
const stopsMachine =
  /^(?:poweroff|reboot|soft-reboot|halt|kexec|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|rescue|emergency)$/;

/** Verbs that only tell something. */
const asks =
  /^(?:status|show|show-environment|list|list-.*|is-.*|cat|help|get-default|print|print-.*|blame|dumpstate|managername|check|pid|tail|maintail|avail|version|query|describe)$/;

/** Verbs that end the services they name, also those that start them again. */
const ends =
  /^(?:stop|kill|restart|(?:try-|cond)restart|(?:try-)?reload-or-restart|(?:force|once)-stop|force-(?:restart|shutdown|exit)|bootout|unload|remove|signal|down|term|exit|shutdown|zap)$/;

/** Verbs that end a service with an option alone: `disable --now`, `kickstart -k`. */
const endsNow: ReadonlyMap<string, string> = new Map([
  ["disable", "--now"],
  ["mask", "--now"],
  ["kickstart", "-k"],
]);

function changes(call: Call, verb: Field, units: readonly Field[]): void {
  if (asks.test(verb.text)) return;
  call.to.config(wordsOf(call.program, ...call.operands));
  if (stopsMachine.test(verb.text)) call.to.kill("system");
  const isOpen = verb.kind !== "literal";
  const option = endsNow.get(verb.text);
  if (!isOpen && !ends.test(verb.text) && (option === undefined || !call.has(option))) return;
  for (const unit of units) call.to.kill(textOfField(unit), !isOpen && unit.kind !== "unknown");
  if (units.length === 0 && verb.text === "shutdown") call.to.kill("every service");
}

/** `systemctl stop nginx`: the verb, then the services. */
function verbFirst(call: Call): void {
  const [verb, ...units] = call.operands;
  if (verb) changes(call, verb, units);
}

/** `service nginx stop`: the service, then the verb. */
function serviceFirst(call: Call): void {
  const [unit, verb] = call.operands;
  if (unit && verb) changes(call, verb, [unit]);
}

/** `sv` also knows its verbs by their first letter. */
function runit(call: Call): void {
  const [verb, ...units] = call.operands;
  if (!verb || /^(?:s|status|check)$/.test(verb.text)) return;
  call.to.config(wordsOf(call.program, ...call.operands));
  const isOpen = verb.kind !== "literal";
  if (isOpen || /^(?:d|t|k|x|e)$/.test(verb.text) || ends.test(verb.text))
    for (const unit of units) call.to.kill(textOfField(unit), !isOpen && unit.kind !== "unknown");
}

/** Managers of services. Source: their manuals. */
export const serviceManagers: readonly Program[] = [
  program(
    "systemctl launchctl initctl supervisorctl",
    optionList(`
    -t --type=; -p --property=; -n --lines=; -H --host=; -M --machine=; --user; --now; -f --force; -q --quiet;
    -s --signal=; --kill-whom=; -k; -c --configuration=; -u --username=
  `),
    verbFirst,
  ),
  program("service rc-service invoke-rc.d", ["--status-all", "-q --quiet", "-d --debug", "-D --nodeps"], serviceFirst),
  program("sv", ["-v", "-w="], runit),
];
