import { textOfField } from "../shell/fields.ts";
import { optionList } from "./grammar.ts";
import { type Call, type Program, program } from "./program.ts";
import { wordsOf } from "./spelled.ts";

/**
 * Rights that a file or an account is given, as `config` effects: `system grant setuid`, `system grant capability`,
 * `system grant group`; and what is to run later: `cron set crontab`, `cron delete crontab`, `cron set job`.
 */
const setsId = /^(?:0?[2-7][0-7]{3}|[ugoa,]*[+=][rwxXt]*s[rwxXst]*(?:,.*)?|.*,[ugoa]*[+=][rwxXt]*s.*)$/s;

/** True for a mode that makes a program run as the file's owner or group. Source: chmod(1). */
export function grantsIdentity(mode: string): boolean {
  return setsId.test(mode.slice(0, 64));
}

/** Reports a mode that `chmod`, `install`, `mkdir` or `mknod` is given. */
export function reportMode(call: Call, mode: string | undefined): void {
  if (mode !== undefined && grantsIdentity(mode)) call.to.config("system grant setuid");
}

function changes(call: Call): void {
  call.to.config(wordsOf(call.program, ...call.operands));
  call.to.doubt(`what ${call.program} changes in the system is not listed`);
}

/** Options under which the programs below only show something. */
const showing: ReadonlyMap<string, RegExp> = new Map([
  ["iptables", /^-(?:L|S|C|nL|nvL|vnL|-list.*|-check)$/],
  ["ip6tables", /^-(?:L|S|C|nL|nvL|vnL|-list.*|-check)$/],
  ["nft", /^list$/],
  ["ufw", /^(?:status|show|version)$/],
  ["firewall-cmd", /^--(?:state|list-.*|get-.*|query-.*)$/],
  ["modprobe", /^-(?:n|D|c|-dry-run|-show.*)$/],
  ["passwd", /^-(?:S|-status)$/],
  ["chage", /^-(?:l|-list)$/],
  ["visudo", /^-(?:c|-check)$/],
  ["update-alternatives", /^--(?:list|display|query|get-selections)$/],
  ["hostnamectl", /^status$/],
  ["timedatectl", /^(?:status|show|list-timezones|timesync-status)$/],
  ["auditctl", /^-[lsv]$/],
  ["setcap", /^-v$/],
  ["kextload", /^-(?:n|print.*)$/],
  ["localectl", /^(?:status|list-.*)$/],
  ["alternatives", /^--(?:list|display)$/],
  ["dscl", /^-?(?:read|list|search|readall|cat)$/],
  ["dseditgroup", /^(?:read|checkmember)$/],
  ["networksetup", /^-(?:get|list|show|is).*$/],
  ["scutil", /^--(?:get|dns|proxy|nwi)$/],
  ["systemsetup", /^-(?:get|list|print).*$/],
  ["nvram", /^-(?:p|x|xp)$/],
  ["pmset", /^-g$/],
  ["bless", /^--(?:info|getBoot)$/],
  ["csrutil", /^status$/],
  ["spctl", /^--(?:status|assess|list)$/],
  ["tmutil", /^(?:status|list\w*|latestbackup|destinationinfo|compare|uniquesize|version|machinedirectory)$/],
  ["vssadmin", /^list$/i],
  ["bcdedit", /^\/enum$/i],
  ["reg", /^(?:query|compare|export)$/i],
  ["net", /^(?:view|statistics|config|time|help|helpmsg|session|file|computer)$/i],
  ["sc", /^(?:query\w*|qc|qdescription|enumdepend|getdisplayname|getkeyname|sdshow)$/i],
  ["wbadmin", /^get$/i],
  ["fsutil", /query|fsinfo/i],
]);
const quietAlone: ReadonlySet<string> = new Set([
  "hostnamectl",
  "timedatectl",
  "efibootmgr",
  "nft",
  "ufw",
  "auditctl",
  "localectl",
  "scutil",
  "pmset",
  ...["tmutil", "vssadmin", "bcdedit", "reg", "net", "sc", "wbadmin", "fsutil", "icacls"],
]);

/** `net stop x`, `sc \\server stop x`: a service of Windows ends. */
function endsService(call: Call): void {
  const [verb, ...names] = call.operands.filter((word) => !/^(?:\\\\|\/)/.test(word.text));
  if (!verb || !/^stop$/i.test(verb.text)) return;
  for (const name of names.slice(0, 1)) call.to.kill(textOfField(name), name.kind !== "unknown");
}

/** Programs that change the system as a whole: nothing is reported where they only show. */
function system(call: Call): void {
  const [first] = call.words;
  if (call.program === "sysctl") {
    if (
      call.has("--write") ||
      call.has("--load") ||
      call.has("--system") ||
      call.words.some((w) => w.text.includes("="))
    )
      changes(call);
    return;
  }
  if (!first && quietAlone.has(call.program)) return;
  if (call.words.some((word) => showing.get(call.program)?.test(word.text) === true)) return;
  if (/^net1?$/.test(call.program) && call.words.length === 1) return;
  if (/^(?:net1?|sc)$/.test(call.program)) endsService(call);
  if (call.program === "setcap") call.to.config("system grant capability");
  if (/^(?:usermod|gpasswd|adduser|addgroup)$/.test(call.program)) call.to.config("system grant group");
  changes(call);
}

/** `crontab`: lists, edits, removes or replaces the table of commands that run later. */
function crontab(call: Call): void {
  if (call.has("-l")) return;
  const verb = call.has("-r") ? "delete" : "set";
  call.to.config(`cron ${verb} crontab`);
  if (verb === "delete") return;
  for (const file of call.operands) if (file.text !== "-") call.to.read(file);
  call.to.run(["crontab", ...call.operands.slice(0, 1).map((word) => word.text)].join(" "));
  if (!call.draft.analysed) call.to.doubt("what is to run later is not known");
}

/** `at`, `batch`: commands that run once, later. */
function later(call: Call): void {
  if (["-l", "-c", "-V"].some((name) => call.has(name))) return;
  call.to.config(call.has("-d") || call.has("-r") ? "cron delete job" : "cron set job");
  for (const file of call.values("-f")) {
    call.to.read(file);
    call.to.run(file.text, file.kind !== "unknown");
  }
  call.to.run([call.program, ...call.operands.slice(0, 1).map((word) => word.text)].join(" "));
  call.to.doubt("what is to run later is not known");
}

function scheduledTasks(call: Call): void {
  if (!/^\/(?:create|change|delete|run)$/i.test(call.operands[0]?.text ?? "")) return;
  call.to.config(`cron ${/delete/i.test(call.operands[0]?.text ?? "") ? "delete" : "set"} job`);
  call.to.doubt("what is to run later is not known");
}

/** Programs that change rights, accounts, the kernel, the firewall, or what runs later. Source: threats page, class 19. */
export const privilegePrograms: readonly Program[] = [
  program(
    "iptables ip6tables nft ufw firewall-cmd modprobe insmod rmmod kldload kldunload kextload kextunload kmutil kexec depmod useradd adduser userdel deluser usermod groupadd addgroup groupdel gpasswd passwd chpasswd chage visudo hostnamectl timedatectl setenforce chsh update-alternatives setcap csrutil spctl auditctl aa-disable aa-teardown apparmor_parser grub-install update-grub efibootmgr pam-auth-update localectl alternatives dscl dseditgroup networksetup scutil systemsetup nvram pmset bless tmutil vssadmin bcdedit reg net net1 sc diskpart wbadmin fsutil icacls takeown",
    [],
    system,
  ),
  program("sysctl", ["-w --write", "-p --load=?", "--system", "-a --all", "-n --values", "-e --ignore"], system),
  program("crontab", optionList("-u=; -l; -r; -e; -i"), crontab),
  program("atrm", ["-V"], (call) => {
    if (call.operands.length > 0) call.to.config("cron delete job");
  }),
  program("at batch", optionList("-f=; -q=; -t=; -m; -M; -v; -l; -c; -d; -r; -b; -V"), later),
  program("schtasks", [], scheduledTasks),
];
