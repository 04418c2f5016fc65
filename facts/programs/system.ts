import type { Text } from "../../schema/approximation.ts";
import { type Field, literalField, textOfField, withText } from "../shell/fields.ts";
import { optionList } from "./grammar.ts";
import { type Call, type Program, program } from "./program.ts";
import { serviceManagers } from "./service-managers.ts";
import { wordsOf } from "./spelled.ts";

function kills(call: Call): void {
  const from = call.words.findIndex((word) => !word.text.startsWith("-"));
  // `kill -l` only lists; `kill -9 -1` reaches everything.
  const end = call.words.findIndex((word) => word.text === "--");
  const options = end < 0 ? call.words : call.words.slice(0, end);
  const tells = call.program === "pkill" ? tellsOnly : listsOnly;
  if (options.some((word) => tells.test(word.text))) return;
  const signal = signalOf(call);
  // Signal 0 only asks whether there is such a process.
  if (signal === "0") return;
  const targets =
    call.program === "kill"
      ? call.words
          .filter((_, i) => !takesWords(call.words[i - 1], call.words[i - 2]))
          .filter((word) => word !== call.words[0] || !word.text.startsWith("-"))
          .filter((word) => !/^-(?:[A-Za-z]+|-[a-z][a-z-]*(?:=.*)?)$/.test(word.text))
      : [...call.values("--pidfile"), ...call.operands];
  for (const word of targets) if (word.text !== "--") call.to.kill(killed(call, word, signal), word.kind !== "unknown");
  // Chosen by user, group or terminal alone, every process of it is meant.
  if (call.program !== "kill" && targets.length === 0 && wholesale.some((name) => call.has(name)))
    call.to.kill("every process");
  if (from < 0 && targets.length === 0) call.to.doubt("what is ended is not known");
}

/** Options that print something and end nothing; `pkill -L` has another meaning. */
const tellsOnly = /^(?:-V|--version|--help)$/;
const listsOnly = /^(?:-[lLV]|--(?:list(?:=.*)?|table|version|help))$/;

/** True for a word of `kill` behind an option that takes it; `--timeout` takes two. */
function takesWords(last: Field | undefined, before: Field | undefined): boolean {
  return /^(?:-[snq]|--(?:signal|queue|timeout))$/.test(last?.text ?? "") || before?.text === "--timeout";
}

const wholesale = ["--user", "--uid", "--group", "--pgroup", "--session", "--terminal", "--parent"] as const;

/** The signal by name or number, without `SIG`; empty where none is given. */
function signalOf(call: Call): string {
  const texts = call.words.map((word) => (word.kind === "unknown" ? "?" : word.text));
  const option = texts.findIndex((text) => /^(?:-[sn]|--signal)$/.test(text));
  const joined = texts.find((text) => /^(?:--signal=|-s|-n|-)(?:SIG)?(?:[A-Z][A-Z0-9+]+|\d{1,2})$/i.test(text));
  const given = option >= 0 ? texts[option + 1] : joined?.replace(/^(?:--signal=|-[sn](?=\d|[A-Z]{2})|-)/, "");
  return (given ?? "").toUpperCase().replace(/^SIG/, "");
}

/** Signals that stop no machine: its first process reloads settings or reports its state. */
const harmless: ReadonlySet<string> = new Set("USR1 USR2 HUP CONT CHLD WINCH URG 10 12 18 17 28 23".split(" "));

/** `kill -1` reaches every process there is, and so does a pattern that fits any name. */
function killed(call: Call, word: Field, signal: string): Text {
  const { text } = word;
  if (word.kind === "unknown") return textOfField(word);
  if (call.program === "kill") {
    if (text === "-1") return "every process";
    return text === "1" && !harmless.has(signal) ? "system" : text;
  }
  return call.program !== "fuser" && /^(?:\^?\.?[*+]?\$?|\[\^?\S\][*+]?)$/.test(text) ? "every process" : text;
}

/** Writes to whole devices. */
function formats(call: Call): void {
  for (const word of call.operands) if (word.text.startsWith("/") || word.kind !== "literal") call.to.write(word);
}

function system(call: Call): void {
  call.to.config(wordsOf(call.program, ...call.operands));
}

function mounts(call: Call): void {
  if (call.operands.length === 0 && !call.has("--all")) return;
  call.to.config(wordsOf(call.program, ...call.operands));
  const target = call.operands.at(-1);
  if (target) call.to.write(target);
  if (target && call.program === "mount") call.to.tree(target, "replaced");
}

/** Links, addresses and routes of the machine: changed by verbs, and by words that set one. */
function links(call: Call): void {
  const words = call.operands.map((word) => word.text);
  const changes =
    call.program === "ifconfig"
      ? words.length > 1
      : words.some((word) =>
          /^(?:a|add|append|c|change|d|del|delete|f|flush|r|replace|set|link-set|restore|exec)$/.test(word),
        );
  if (changes && words[0] !== "netns") call.to.config(wordsOf(call.program, ...call.operands));
}

/** Programs that act on processes, devices and the system. Source: threats page, class 19. */
export const systemPrograms: readonly Program[] = [
  program("top htop pgrep pidof lsof free vmstat iostat ss netstat dmesg lscpu lsblk blkid findmnt nvidia-smi", [
    "-o=",
    "-p=",
    "-u=",
    "-C=",
    "-n=",
    "--sort=",
  ]),
  {
    names: ["ps"],
    effects: (call) => {
      // An `e` among options of the BSD kind shows the environment of each process.
      if (/^[acfghjklmnoprtuvwxSTX]*e[acefghjklmnoprtuvwxSTX]*$/.test(call.words[0]?.text ?? ""))
        call.to.read(literalField("/proc/self/environ", call.draft.place));
    },
  },
  program("getent", ["-s --service=", "-i --no-idn"], (call) => {
    const [base] = call.operands;
    if (base && /^g?shadow$/.test(base.text)) call.to.read(withText(base, `/etc/${base.text}`));
  }),
  program("ip tc ifconfig route", ["-n=", "-j", "-br", "-4", "-6", "-s", "-d", "-o", "-a"], links),
  program(
    "journalctl",
    [
      "-u --unit=",
      "-n --lines=",
      "-p --priority=",
      "-o --output=",
      "-S --since=",
      "-U --until=",
      "-f --follow",
      "-b --boot=?",
    ],
    (call) => {
      const drops = call.words.some((word) =>
        /^--(?:vacuum-(?:time|size|files)|rotate|flush|relinquish-var)(?:=|$)/.test(word.text),
      );
      if (drops) call.to.delete(literalField("/var/log/journal", call.draft.place), true);
    },
  ),
  { names: ["kill"], grammar: { options: ["-s --signal=", "-n=", "-l --list", "-L"] }, effects: kills },
  program(
    "pkill",
    optionList(`
    --signal=; -u --euid --user=; -U --uid=; -P --parent=; -g --pgroup=; -G --group=; -s --session=; -t --terminal=;
    -O --older=; -F --pidfile=; -q --queue=; -r --runstates=; --ns=; --nslist=; --cgroup=; --env=; -f --full; -x --exact;
    -n --newest; -o --oldest; -i --ignore-case; -e --echo; -c --count; -v --inverse; -A --ignore-ancestors; -L --logpidfile;
    -H --require-handler
  `),
    kills,
  ),
  program(
    "killall",
    optionList(`
    -s --signal=; -u --user=; -o --older-than=; -y --younger-than=; -n --ns=; -Z --context=; -e --exact; -I --ignore-case;
    -g --process-group; -i --interactive; -l --list; -q --quiet; -r --regexp; -v --verbose; -w --wait; -t=; -c=; -d; -m; -z
  `),
    kills,
  ),
  program("fuser", ["-k --kill", "-s --silent", "-v --verbose", "-n --namespace=", "-m --mount"], (call) => {
    if (call.has("--kill")) kills(call);
  }),
  program("killall5", ["-o="], (call) => call.to.kill("every process")),
  program("shutdown reboot halt poweroff init telinit", ["-c", "--show", "-w --wtmp-only", "--help"], (call) => {
    if (!["-c", "--show", "--wtmp-only", "--help"].some((name) => call.has(name))) call.to.kill("system");
    system(call);
  }),
  ...serviceManagers,
  program(
    "mkfs mke2fs mkswap wipefs fdisk sfdisk cfdisk parted gdisk sgdisk blkdiscard hdparm cryptsetup lvremove lvreduce vgremove pvremove dmsetup zpool zfs btrfs mdadm badblocks diskutil",
    ["-t --type=", "-L=", "-U=", "-l --list", "-o --offset=", "-n --no-act"],
    (call) => {
      if (call.program !== "mkfs" && call.has("--list")) return;
      formats(call);
      system(call);
    },
  ),
  program(
    "mount umount swapon swapoff losetup",
    optionList(`
    -t --types=; -o --options=; -L --label=; -U --uuid=; -a --all; -l; -f --force; -r --read-only
  `),
    mounts,
  ),
  program("open xdg-open start", ["-a=", "-b="], (call) => {
    for (const word of call.operands) {
      if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word.text)) call.to.network(word, "both");
      else call.to.read(word);
    }
    call.to.run(call.operands[0] ? textOfField(call.operands[0]) : call.program);
    call.to.doubt("which program opens it is not known");
  }),
  program(
    "pbcopy pbpaste xclip xsel wl-copy wl-paste notify-send logger say",
    ["-f --file=", "-t --tag=", "-p --priority=", "-selection=", "-i=", "-o="],
    (call) => {
      const file = call.program === "logger" ? call.value("--file") : undefined;
      if (file) call.to.read(withText(file, file.text));
    },
  ),
];
