import { spend, spendText } from "../meter.ts";
import { createRegexEngine } from "../regex.ts";
import type { Draft } from "../shell/draft.ts";
import { codeOf } from "./code-settings.ts";
import { happensIfReached } from "./reached.ts";
import type { Sink } from "./sink.ts";

/** How processes of ours are listed: by their names, and by the files that they run. */
const ours = [
  "hookwarden",
  "hookwarden-hook",
  "hookwarden-client.sh",
  "hookwarden-hook.cjs claude-code",
  "node /opt/hookwarden/dist/bin/hookwarden.js serve",
  "dev.hookwarden.daemon",
];

/** Programs that end or hold processes which a manager keeps, and words by which they only look or begin. */
const managers =
  /^(?:systemctl|service|launchctl|initctl|rc-service|rc-update|supervisorctl|pm2|forever|sv|s6-svc|s6-rc|runit|monit|circusctl|brew)$/;
const harmless =
  /^(?:status|start|show|list\S*|is-\S+|cat|help|enable|load|bootstrap|print|reenable|unmask|logs?|info|describe|blame|dump\S*|up|once|avail|describe|services)$/;
const ends =
  /^(?:stop|kill|mask|disable|restart|try-restart|reload\S*|revert|edit|freeze|isolate|reset\S*|set-property|unload|bootout|remove|delete|del|down|pause|clean|shutdown|exit|term|unmonitor|x|d|o|k|-[dkxpO])$/;
const finders = /^(?:pgrep|pidof|grep|egrep|fgrep|ggrep|rg|ripgrep|ag|awk|gawk|mawk|sed|lsof|fuser)$/;

// A longer pattern may match anything, and so may one that is not understood; both are reported as they are.
const patternLength = 512;
/** Units of one pattern that is made ready and tried. */
const patternUnits = 64;

/** Programs that end, hold or change a process which they are named, by its name or by its number. */
const enders =
  /^(?:skill|snice|taskkill|tskill|pskill|wmic|stop-process|spps|gdb|lldb|rr|strace|ltrace|reptyr|prlimit|renice|ionice|criu|xkill|slay|fuser)$/i;
/** Code that looks through processes, and words by which it ends one. */
const listing =
  /\b(?:psutil|process_iter|ps-list|find-process|fkill|ps-node|tree-kill|Proc::\w+|sys-proctable|Get-Process|Stop-Process|spps|taskkill|pgrep|pidof)\b/i;
const ending = /\b(?:kill|terminate|suspend|send_signal|signal|Stop-Process|spps|taskkill|nice|Kill)\b/i;

/** Reports a process of ours that a debugger or its like ends, or code that looks for it. */
function reportOthersEnded(draft: Draft, sink: Sink): void {
  const { program, args } = draft;
  if (enders.test(program.replace(/\.exe$/i, ""))) {
    const word = args.find((one) => namesOurs(one.text));
    if (word) sink.kill(`hookwarden (${program} ${word.text.slice(0, 80)})`);
    // An unknown process number may come from another command of the call.
    else if (
      /^(?:gdb|lldb|rr|strace|ltrace|reptyr|prlimit|renice|criu)$/.test(program) &&
      args.some((one) => one.kind === "unknown")
    )
      sink.kill(program, false);
    return;
  }
  const code = codeOf(draft);
  if (code === "") return;
  spendText(2 * code.length);
  // Texts that are put together count as one.
  const joined = code.replace(/["'`]\s*[+.]\s*["'`]/g, "");
  if (listing.test(joined) && ending.test(joined) && namesOurs(joined)) sink.kill(`hookwarden (${program})`);
}

function namesOurs(text: string): boolean {
  return /hookwarden/i.test(text);
}

/**
 * Reports processes of ours that a command ends under another name: by a pattern that fits theirs, or by the manager that
 * keeps them. `pkill` of a name reports itself in its row.
 */
export function reportEnded(draft: Draft, sink: Sink): void {
  spend(1);
  const { program, args } = draft;
  if (program === "pkill" || program === "killall") {
    const regular =
      program === "pkill" || args.some((word) => /^(?:--regexp|-[A-Za-qs-z]*r[A-Za-z]*)$/.test(word.text));
    const words = args.filter((word) => !word.text.startsWith("-") && word.kind !== "unknown");
    for (const word of words)
      if (regular && !/hookwarden/i.test(word.text) && fits(word.text))
        sink.kill(`hookwarden (${word.text.slice(0, 80)})`);
    return;
  }
  if (!managers.test(program)) return reportOthersEnded(draft, sink);
  spend(2 * args.length);
  const words = args.filter((word) => !/^--?\w/.test(word.text) || ends.test(word.text));
  const unit = words.find(
    (word) => /hookwarden/i.test(word.text) || (/[*?[]/.test(word.text) && fits(fromGlob(word.text))),
  );
  const verb = words.find((word) => word !== unit && (ends.test(word.text) || harmless.test(word.text)));
  if (unit && verb && ends.test(verb.text))
    sink.kill(`hookwarden (${program} ${verb.text.slice(0, 40)} ${unit.text.slice(0, 80)})`);
}

/** Reports the same where a call ends what another command of it has found: `kill $(pgrep …)`, `ps | grep … | xargs kill`. */
export function reportFoundEnded(drafts: readonly Draft[], from: number, sink: Sink): void {
  spend(sink.kills.length - from);
  const kill = sink.kills
    .slice(from)
    .find(
      (one) =>
        !happensIfReached(one) && /kill|xargs|fuser|gdb|lldb|^rr$|trace|reptyr|prlimit|renice|criu/.test(one.via),
    );
  if (!kill) return;
  for (const draft of drafts) {
    spend(1);
    if (!finders.test(draft.program)) continue;
    for (const word of draft.args) {
      if (word.text.startsWith("-") || word.kind === "unknown") continue;
      if (!patternsOf(draft.program, word.text).some((one) => namesOurs(one) || fits(one))) continue;
      sink.begin({ via: kill.via, command: kill.command, cwd: "", certain: true });
      return sink.kill(`hookwarden (${word.text.slice(0, 80)})`, false);
    }
  }
}

/** The patterns in a word: between slashes in a text of `awk` or `sed`, and the word itself elsewhere. */
function patternsOf(program: string, text: string): readonly string[] {
  if (!/awk|sed/.test(program)) return [text];
  // A slash may begin a pattern that does not end, of up to 128 signs.
  spend(1 + 2 * Math.min(text.length, 4_096));
  return [...text.slice(0, 4_096).matchAll(/\/((?:[^/\\\n]|\\.){1,128})\//g)].map((found) => found[1] as string);
}

function fromGlob(glob: string): string {
  const plain = glob.slice(0, patternLength).replace(/[.+^${}()|\\]/g, "\\$&");
  return `^${plain.replace(/\*/g, ".*").replace(/\?/g, ".")}$`;
}

/** True for a pattern that matches some process of ours, in any letter case. */
function fits(pattern: string): boolean {
  if (pattern === "" || pattern.length > patternLength) return false;
  spend(patternUnits);
  // A name without pattern signs is searched literally.
  if (/^[\w-]+$/.test(pattern))
    return ours.some((name) => name.includes(pattern.toLowerCase())) && /[hw]/i.test(pattern) && pattern.length > 2;
  // Basic expressions write their signs with a backslash.
  return [pattern, pattern.replace(/\\([(){}|+?])/g, "$1")].some((one) => {
    const regex = createRegexEngine().compile(one, { ignoreCase: true });
    return !("kind" in regex) && ours.some((name) => regex.test(name)) && !others.every((name) => regex.test(name));
  });
}

/** Processes of others: a pattern that matches them all is `every process`, which other rules cover. */
const others = ["node", "vite dev", "python3 -m http.server", "sshd", "chrome --type=renderer"];
