import { declaredCommand } from "./declarations.ts";
import type { Random } from "./random.ts";

/**
 * Words that policies and events of the generators share, so that conditions hold often enough to matter. Commands are
 * put together from harmless words; they are judged as text and nothing ever runs them.
 */
export const words = [
  "main",
  "notes",
  "k1",
  "Tag",
  "a",
  "",
  "ünïcode",
  "release/1",
  "x y",
  "git",
  "ls",
  "dev",
  "42",
  "-1",
  "true",
];
export const names = ["ada", "dev", "ci"];
export const paths = [
  "/home/dev/app/a.txt",
  "/home/dev",
  "/tmp/x",
  "/etc/hosts",
  "a.txt",
  "../b/c.md",
  "~/notes.md",
  ".",
  "/srv/data/.env",
  "/",
  "src/*.ts",
];
export const globs = ["/tmp/**", "/home/dev/**", "*.txt", "**/.env", "/etc/*", "**", "/home/dev/app/a.txt"];
export const urls = [
  "https://api.example.com/v1?q=1",
  "http://127.0.0.1:8080/",
  "https://example.org",
  "ftp://files.example.com/a",
  "no url",
  "http://10.0.0.7/x",
];
export const hosts = ["example.com", "api.example.com", "127.0.0.1", "example.org"];
export const ranges = ["10.0.0.0/8", "127.0.0.0/8", "::1/128", "192.168.1.1/32"];
export const patterns = ["^a", "[0-9]+", "x|y", "(?i)TAG", "\\bgit\\b", "", "(a+)+$", "\\.txt$", "^$"];
export const pathClasses = ["protected_root", "secret", "engine", "workspace", "home", "temp", "device", "system"];
export const urlClasses = ["loopback", "private", "metadata", "address", "lookalike", "data_name"];
export const times = ["2026-01-31T00:00:00Z", "1970-01-01T00:00:00Z", "2026-02-01T12:30:00.5+02:00"];
export const durations = ["10m", "1h30m", "0s", "-5s", "1.5s"];
export const options = ["-r", "-f", "--recursive", "--force", "-n", "--output"];

const programs = ["ls", "git", "cat", "echo", "touch", "grep", "curl", "npm", "cp", "find", "node", "frobnicate"];
const arguments_ = [
  "-r",
  "-n",
  "--force",
  "-la",
  "--",
  "status",
  "push",
  "origin",
  "main",
  "install",
  "left-pad",
  "https://api.example.com/v1",
  '"https://api.example.com/$REF"',
  "-o",
  "out.txt",
  "*.ts",
  "$HOME/notes.md",
  "'x y'",
  '"a $USER"',
  "{a,b}",
  "~",
];
const joints = [" ; ", " && ", " || ", " | ", "\n", " & "];
const oddities = ["'", '"', "$(", "`", "\\", ")", "<<EOF\n", "((", "\u0000", "\u202e", "é", "{", "}", "#", "!", "\t"];

/** A shell text: mostly well-formed commands, at times odd syntax. */
export function commandText(random: Random): string {
  if (random.chance(0.08)) return declaredCommand(random.fork());
  const count = 1 + random.below(3);
  const text = random.times(count, () => simpleCommand(random)).join(random.pick(joints));
  if (random.chance(0.85)) return text;
  const at = random.below(text.length + 1);
  return text.slice(0, at) + random.pick(oddities) + text.slice(at);
}

function simpleCommand(random: Random): string {
  const parts = [random.pick(programs)];
  if (random.chance(0.15))
    parts.unshift(random.pick(["sudo", "env", "A=1", "timeout 5", "command", "PATH=/srv/x", "/tmp/env", "ssh host"]));
  for (let i = random.below(4); i > 0; i--) parts.push(random.pick(random.chance(0.5) ? arguments_ : paths));
  if (random.chance(0.15)) parts.push(random.pick(["> /tmp/x", ">> a.txt", "< a.txt", "2>&1", "2>/dev/null"]));
  return parts.join(" ");
}
