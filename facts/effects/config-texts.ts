import { spend, spendText } from "../meter.ts";
import { quotedWord } from "./shell-words.ts";

/** Settings of git whose value it runs, by their last part; a text behind `!` is one of a shell under any name. */
const gitRuns =
  /^(?:pager|editor|fsmonitor|sshcommand|askpass|gitproxy|alternaterefscommand|textconv|command|cmd|clean|smudge|process|driver|program|external|difffilter|uploadpack|receivepack|tool)$/i;

/** Returns the shell texts in a settings file of git. Source: git-config(1), gitmodules(5). */
export function gitSettings(text: string): string[] {
  spendText(2 * text.length);
  const texts: string[] = [];
  for (const line of text.replace(/\\\r?\n/g, " ").split(/\r?\n/)) {
    spend(4);
    const found = /^\s*(?:\[[^\]]{0,256}\]\s*)?([\w-]{1,128})\s*=\s*(\S.*)$/s.exec(line);
    if (!found) continue;
    const value = unquoted(found[2] as string);
    if (value.startsWith("!")) texts.push(value.slice(1));
    else if (gitRuns.test(found[1] as string)) texts.push(value);
  }
  return texts;
}

function unquoted(value: string): string {
  return value
    .trim()
    .replace(/\\(.)|"/gs, (_, sign?: string) => (sign === undefined ? "" : sign === "n" || sign === "t" ? " " : sign));
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Commands that a property list has launchd start: the words of `ProgramArguments`, or `Program`. Source: launchd.plist(5). */
export function launchdCommands(text: string): string[] {
  spendText(4 * text.length);
  const plain = withoutComments(text);
  const lists = plain.matchAll(/<key>\s*ProgramArguments\s*<\/key>\s*<array>((?:(?!<\/array>)[\s\S]){0,65536})/g);
  const single = plain.matchAll(/<key>\s*Program\s*<\/key>\s*(<string>[^<]{0,4096}<\/string>)/g);
  return [...lists, ...single].map((found) =>
    [...(found[1] as string).matchAll(/<string>([^<]{0,65536})<\/string>/g)]
      .map((word) => quotedWord((word[1] as string).replace(/&(\w+);/g, (all, name) => entities[name] ?? all)))
      .join(" "),
  );
}

/** Returns XML without its comments. An unclosed comment does not count. */
function withoutComments(text: string): string {
  let plain = "";
  let from = 0;
  for (let open = text.indexOf("<!--"); open >= 0; open = text.indexOf("<!--", from)) {
    const close = text.indexOf("-->", open + 4);
    if (close < 0) break;
    plain += text.slice(from, open);
    from = close + 3;
  }
  return plain + text.slice(from);
}

const sshCommand = /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)(?:\s+|\s*=\s*)(\S.*)$/is;
const sshMatch = /^\s*Match\s.*?\bexec(?:\s+|\s*=\s*)(?:"([^"]{0,4096})"|(\S+))/is;
const boundToKey = /(?:^|[\s,])command="((?:[^"\\]|\\.){0,4096})"/gis;

/**
 * Returns the commands that an ssh configuration runs on this machine, and the commands bound to authorised keys. Only a line feed
 * ends a line. Source: ssh_config(5), sshd(8).
 */
export function sshCommands(text: string): string[] {
  spendText(2 * text.length);
  return text.split("\n").flatMap((line) => {
    spend(1);
    const set = sshCommand.exec(line) ?? sshMatch.exec(line);
    return [...(set ? [set] : []), ...line.matchAll(boundToKey)].map((found) =>
      (found[1] ?? found[2] ?? "").replace(/%[a-zA-Z]/g, "x"),
    );
  });
}
