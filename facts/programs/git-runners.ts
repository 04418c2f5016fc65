import type { Field } from "../shell/fields.ts";
import { gitGlobals } from "./git-globals.ts";
import { type GivenOption, type Grammar, readArguments } from "./grammar.ts";
import { joined } from "./runners.ts";
import type { Inner, Wrapper } from "./wrapper.ts";

/** Shell texts of `-c alias.name=!text`. */
function aliasTexts(options: readonly GivenOption[]): Inner[] {
  return options.flatMap((option): Inner[] => {
    const match = option.names.includes("-c") ? /^alias\.[^=]*=!(.*)$/s.exec(option.value?.text ?? "") : null;
    if (!match || !option.value) return [];
    return [{ kind: "text", text: { ...option.value, text: match[1] as string, verbatim: -1 } }];
  });
}

/** Settings whose value is a shell text that git runs. A hooks folder is none. */
const runningSettings =
  /^(?:core\.(?:fsmonitor|pager|editor|sshcommand|askpass|gitproxy|alternaterefscommand)|pager\.\w+|sequence\.editor|diff\.external|diff\.[^=]*\.(?:command|textconv)|difftool\.[^=]*\.cmd|mergetool\.[^=]*\.cmd|merge\.[^=]*\.driver|filter\.[^=]*\.(?:clean|smudge|process)|gpg\.(?:[^=]*\.)?program|interactive\.difffilter|credential\.(?:[^=]*\.)?helper|uploadpack\.packobjectshook|remote\.[^=]*\.(?:uploadpack|receivepack))=(.*)$/is;

/** Shell texts of `-c key=value`; a credential helper is one only behind `!`. */
function settingTexts(options: readonly GivenOption[]): Inner[] {
  return options.flatMap((option): Inner[] => {
    const value = option.names.includes("-c") ? option.value : undefined;
    const raw = value && runningSettings.exec(value.text)?.[1];
    if (!value || raw === undefined || /^(?:|true|false|cat|less)$/.test(raw)) return [];
    const helper = /^credential\./i.test(value.text);
    if (helper && !raw.startsWith("!")) return [];
    return [{ kind: "text", text: { ...value, text: raw.replace(/^!/, ""), verbatim: -1 } }];
  });
}

const programOptions: readonly string[] = ["--upload-pack", "--receive-pack", "--exec"];
const filterOptions: readonly string[] = [
  "--tree-filter",
  "--index-filter",
  "--msg-filter",
  "--env-filter",
  "--commit-filter",
  "--parent-filter",
  "--tag-name-filter",
];

const running: ReadonlySet<string> = new Set([...programOptions, ...filterOptions]);
const filterGrammar: Grammar = { options: filterOptions.map((name) => `${name}=`) };
const transferGrammar: Grammar = { options: programOptions.map((name) => `${name}=`) };
const cloneGrammar: Grammar = {
  options: programOptions.map((name) => `${name === "--upload-pack" ? "-u " : ""}${name}=`),
};
const difftoolGrammar: Grammar = { options: ["-x --extcmd=", "-t --tool="] };
const rebaseGrammar: Grammar = { options: ["-x --exec=", "--onto=", "-s --strategy=", "-X="] };

/** Programs for the other side of a transfer, and the texts of `filter-branch`. */
function optionTexts(verb: string, words: readonly Field[]): Inner[] {
  const filters = verb === "filter-branch";
  if (!filters && !/^(?:clone|fetch|pull|push|ls-remote|archive|fetch-pack|send-pack)$/.test(verb)) return [];
  const grammar = filters ? filterGrammar : verb === "clone" ? cloneGrammar : transferGrammar;
  return readArguments(grammar, words).options.flatMap((option): Inner[] =>
    option.value && option.names.some((name) => running.has(name))
      ? [{ kind: "text", text: option.value, certain: filters }]
      : [],
  );
}

/** `ext::command` as a remote runs that command. */
function transportTexts(words: readonly Field[]): Inner[] {
  return words.flatMap((word): Inner[] => {
    const text = /^ext::(.+)$/s.exec(word.text)?.[1];
    return text === undefined ? [] : [{ kind: "text", text: { ...word, text, verbatim: -1 } }];
  });
}

/** What git runs for its caller: `rebase -x`, `submodule foreach`, `bisect run`, aliases given by `-c`. */
export const gitRunner: Wrapper = {
  names: ["git"],
  unwrap(args) {
    const read = readArguments(gitGlobals, args);
    const inner = [...aliasTexts(read.options), ...settingTexts(read.options)];
    const [verb, ...words] = read.operands;
    if (verb) for (const one of [...optionTexts(verb.text, words), ...transportTexts(words)]) inner.push(one);
    if (verb?.text === "rebase") {
      const given = readArguments(rebaseGrammar, words).options;
      for (const option of given)
        if (option.names.includes("--exec") && option.value) inner.push({ kind: "text", text: option.value });
    } else if (verb?.text === "submodule" && words.some((word) => word.text === "foreach")) {
      const rest = words
        .slice(words.findIndex((word) => word.text === "foreach") + 1)
        .filter((word, i) => i > 0 || !word.text.startsWith("-"));
      if (rest.length > 0) inner.push({ kind: "text", text: joined(rest) });
    } else if (verb?.text === "difftool") {
      const given = readArguments(difftoolGrammar, words).options;
      for (const option of given)
        if (option.names.includes("--extcmd") && option.value) inner.push({ kind: "text", text: option.value });
    } else if (verb?.text === "bisect" && words[0]?.text === "run" && words.length > 1) {
      inner.push({ kind: "words", fields: words.slice(1), external: true });
    }
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};
