import { gitGlobals } from "./git-globals.ts";
import { type GivenOption, readArguments } from "./grammar.ts";
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

/** What git runs for its caller: `rebase -x`, `submodule foreach`, `bisect run`, aliases given by `-c`. */
export const gitRunner: Wrapper = {
  names: ["git"],
  unwrap(args) {
    const read = readArguments(gitGlobals, args);
    const inner = aliasTexts(read.options);
    const [verb, ...words] = read.operands;
    if (verb?.text === "rebase") {
      const given = readArguments({ options: ["-x --exec=", "--onto=", "-s --strategy=", "-X="] }, words).options;
      for (const option of given)
        if (option.names.includes("--exec") && option.value) inner.push({ kind: "text", text: option.value });
    } else if (verb?.text === "submodule" && words.some((word) => word.text === "foreach")) {
      const rest = words
        .slice(words.findIndex((word) => word.text === "foreach") + 1)
        .filter((word, i) => i > 0 || !word.text.startsWith("-"));
      if (rest.length > 0) inner.push({ kind: "text", text: joined(rest) });
    } else if (verb?.text === "bisect" && words[0]?.text === "run" && words.length > 1) {
      inner.push({ kind: "words", fields: words.slice(1), external: true });
    }
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};
