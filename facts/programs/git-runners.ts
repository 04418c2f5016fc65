import { type Field, literalField } from "../shell/fields.ts";
import { gitGlobals } from "./git-globals.ts";
import { settingText } from "./git-settings.ts";
import { type GivenOption, type Grammar, readArguments, valuesOf } from "./grammar.ts";
import { filesTo } from "./option-runners.ts";
import { joined } from "./runners.ts";
import type { Inner, Wrapper } from "./wrapper.ts";

/** Shell texts of `-c key=value`. */
function settingTexts(options: readonly GivenOption[]): Inner[] {
  return options.flatMap((option): Inner[] => {
    const text =
      /^(?:-c|--config)$/.test(option.names[0] ?? "") && option.value ? settingText(option.value) : undefined;
    return text ? [{ kind: "text", text }] : [];
  });
}

const programOptions: readonly string[] = ["--upload-pack", "--receive-pack", "--exec"];
const filterOptions: readonly string[] = [
  "--setup",
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
  options: [...programOptions.map((name) => `${name === "--upload-pack" ? "-u " : ""}${name}=`), "-c --config="],
};
const grepGrammar: Grammar = {
  options: [
    "-O --open-files-in-pager=?",
    "-e=",
    "-f=",
    "-m --max-count=",
    "-A=",
    "-B=",
    "-C=",
    "--max-depth=",
    "--threads=",
  ],
};
const mailOptions = ["--sendmail-cmd", "--to-cmd", "--cc-cmd", "--header-cmd", "--smtp-server"];
const mailGrammar: Grammar = { options: mailOptions.map((name) => `${name}=`) };
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

/** `ext::command` as a remote runs that command. A percent sign before a blank makes it part of a word. */
function transportTexts(words: readonly Field[]): Inner[] {
  return words.flatMap((word): Inner[] => {
    const text = /^ext::(.+)$/s.exec(word.text)?.[1];
    if (text === undefined) return [];
    const inner: Inner = { kind: "text", text: { ...word, text, verbatim: -1 } };
    if (word.kind !== "literal" || !text.includes("% ")) return [inner];
    const parts = text.match(/(?:%[\s\S]|[^\s%])+/g) ?? [];
    const fields = parts.map((part) => literalField(part.replaceAll("% ", " ").replaceAll("%%", "%"), word.place));
    return [{ kind: "words", fields, external: true }];
  });
}

/** `git grep -Oprogram`: it is run for the files that match. */
function pagerTexts(words: readonly Field[]): Inner[] {
  return valuesOf(readArguments(grepGrammar, words), "-O").flatMap((text): Inner[] => {
    if (text.kind !== "unknown" && (text.text === "" || /^(?:less|more|vim?|vi|cat)$/.test(text.text))) return [];
    return [{ kind: "text", text }, ...(/^\S+$/.test(text.text) && text.kind === "literal" ? [filesTo(text, [])] : [])];
  });
}

/** Wrapper for commands that git runs for its caller: `rebase -x`, `submodule foreach`, `bisect run`, aliases given by `-c`. */
export const gitRunner: Wrapper = {
  names: ["git"],
  unwrap(args) {
    const read = readArguments(gitGlobals, args);
    const [verb, ...words] = read.operands;
    // An alias that this command uses is read with the words behind it (`git-aliases.ts`).
    const isUsed = (value: Field | undefined): boolean =>
      verb?.kind === "literal" && value?.text.toLowerCase().startsWith(`alias.${verb.text.toLowerCase()}=`) === true;
    const inner = settingTexts(read.options.filter(({ value }) => !isUsed(value)));
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
    } else if (verb?.text === "grep") {
      inner.push(...pagerTexts(words));
    } else if (verb?.text === "send-email") {
      const given = readArguments(mailGrammar, words);
      for (const name of mailOptions)
        for (const text of valuesOf(given, name))
          if (name !== "--smtp-server" || text.text.includes("/")) inner.push({ kind: "text", text });
    } else if (verb?.text === "clone") {
      inner.push(...settingTexts(readArguments(cloneGrammar, words).options));
    } else if (verb?.text === "bisect" && words[0]?.text === "run" && words.length > 1) {
      inner.push({ kind: "words", fields: words.slice(1), external: true });
    }
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};
