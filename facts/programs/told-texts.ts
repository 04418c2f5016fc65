import { patchedFiles } from "../effects/patches.ts";
import { type Field, literalField, withText } from "../shell/fields.ts";
import { quotedTexts } from "../text/quoted.ts";
import { type Grammar, optionList, readArguments, valuesOf } from "./grammar.ts";
import { type Call, type Program, program } from "./program.ts";
import { joined } from "./runners.ts";
import type { Inner, Wrapper } from "./wrapper.ts";

/**
 * Languages whose code is read only for texts handed to a shell or to a program, and for paths that it deletes. Anything else
 * that their code does is in doubt. Source: threats page, class 8; manuals of each.
 */
const runsText =
  /(?:\b(?:os:cmd|run-program|launch-program|execShellCmd|execCmd|callCommand|callProcess|readProcess|createProcess|startProcess|shell_cmd|Sys\.command|Unix\.system|popen|popen2|system|exec|shell|unix|dos|spawn|execute|backtick|(?<=\(|shell\/)sh)\b|\bnew\s+ProcessBuilder\b)[\s(:[{,]{0,6}["']((?:[^"'\\]|\\.|(?<=")'|(?<=')")*)["']((?:[\s,]{1,4}"(?:[^"\\]|\\.)*"){0,64})/g;
const removesPath =
  /\b(?:RemoveAll|remove_dir_all|removeItem|removeDirectoryRecursive|removePathForcibly|deleteRecursively|deleteDirectory|Directory\.Delete|delete-directory-tree|removeDir|rmtree|rmdir|confirm_recursive_rmdir)\b[^"'\n]{0,24}["']([^"'\n]{1,1024})["']/g;

// Longer patches are not read to their end.
const patchLength = 1_048_576;
// Longer code is not searched; its effects are in doubt anyway.
const codeLength = 65_536;

const languages =
  "erl guile sbcl clisp ecl ghc runghc runhaskell ocaml kotlin kotlinc jshell nim gnuplot octave octave-cli matlab scilab maxima gp sage racket scala swift dotnet-script csi raku rakudo gforth scheme chez clojure clj bb";
const codeGrammar: Grammar = {
  options: optionList(
    "-e --eval --evaluate -eval --execute --exec=; -c --command=; -r --run -batch=; -E=; -q --quiet; -noshell; -s; --script=; --noinform; --non-interactive; --no-gui; -x=; -g=",
  ),
  single: true,
};
const codeOptions = ["-e", "-c", "-r", "-E", "-x", "-g"] as const;

/** Returns the code given to an interpreter, by options or on a known input. */
function codesOf(args: readonly Field[], text: string | undefined): Field[] {
  const read = readArguments(codeGrammar, args);
  const files = read.operands.flatMap((word) =>
    typeof word.content === "string" ? [withText(word, word.content)] : [],
  );
  const given = codeOptions.flatMap((name) => valuesOf(read, name));
  const place = args[0]?.place ?? { start: 0, end: 0 };
  const input = text === undefined ? [] : [literalField(text, place)];
  return [...new Set([...given, ...files, ...input])].filter((code) => code.text.length <= codeLength);
}

function unescaped(text: string): string {
  return text.replace(/\\(["'\\])/g, "$1");
}

/** Shell texts and words in one code. */
function ranBy(code: Field): Inner[] {
  return [...code.text.matchAll(runsText)].map((found): Inner => {
    const first = withText(code, unescaped(found[1] ?? ""));
    const more = quotedTexts(found[2] ?? "").map((one) => withText(code, unescaped(one)));
    if (more.length === 0 || /\s/.test(first.text)) return { kind: "text", text: first };
    return { kind: "words", fields: [first, ...more], external: true };
  });
}

const code: Wrapper = {
  names: languages.split(" "),
  unwrap(args, input) {
    const inner = codesOf(args, input?.atom?.kind === "literal" ? input.atom.text : undefined).flatMap(ranBy);
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};

/** Reports deletions whose paths the code spells out, and a doubt about the rest. */
function codeEffects(call: Call): void {
  const text = call.draft.input?.atom?.kind === "literal" ? call.draft.input.atom.text : undefined;
  for (const one of codesOf(call.words, text))
    for (const found of one.text.matchAll(removesPath)) call.to.delete(withText(one, found[1] as string), true);
  for (const file of call.operands) if (/[./]/.test(file.text)) call.to.read(file, { certain: false });
  if (call.words.length === 1 && /^--?(?:version|help|V)$/.test(call.words[0]?.text ?? "")) return;
  call.to.run(call.operands[0]?.text ?? call.program);
  call.to.doubt(`what ${call.program} runs is not analysed`);
}

/** `spawn words`, `exec words` and `system text` of Tcl, whose braces quote like single quotes. */
const tclCommand =
  /(?:^|[;\n[{"])\s*(spawn|exec|system)\s+((?:"(?:[^"\\]|\\.)*"|\\["\\]|\{[^{}]*\}|\[[^\][]*\]|[^;\n\]}])+)/g;

function tclTexts(script: Field): Inner[] {
  return [...script.text.slice(0, codeLength).matchAll(tclCommand)].map((found): Inner => {
    // `system` hands its words to a shell, and text in braces unchanged.
    if (found[1] === "system")
      return { kind: "text", text: withText(script, (found[2] as string).replace(/[{}]|^\s*"|"\s*$/g, "").trim()) };
    const words = (found[2] as string)
      .replace(/^(?:\s*-(?:noecho|console|open|pty|ignore(?:\s+\w+)?|keepnewline|--)\s+)+/, "")
      .replace(/\{([^{}]*)\}/g, (_, inner: string) => `'${inner.replaceAll("'", "'\\''")}'`);
    return { kind: "text", text: withText(script, words.trim()) };
  });
}

const tclGrammar: Grammar = { options: optionList("-c=; -f=; -b=; -d; -D=; -i; -n; -N; -v"), stop: true };

/** `expect -c script`, and a script on the input of `expect` or `tclsh`. */
const tcl: Wrapper = {
  names: ["expect", "tclsh", "wish"],
  unwrap(args, input) {
    const read = readArguments(tclGrammar, args);
    const place = args[0]?.place ?? { start: 0, end: 0 };
    const scripts = args.length > 0 && valuesOf(read, "-c").length > 0 ? valuesOf(read, "-c") : [];
    if (scripts.length === 0 && input?.atom?.kind === "literal") scripts.push(literalField(input.atom.text, place));
    const inner = scripts.flatMap(tclTexts);
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};

const cmakeWords: ReadonlyMap<string, readonly string[]> = new Map([
  ["rm", ["rm"]],
  ["remove", ["rm", "-f"]],
  ["remove_directory", ["rm", "-rf"]],
  ["rename", ["mv"]],
  ["copy", ["cp"]],
  ["copy_directory", ["cp", "-r"]],
  ["touch", ["touch"]],
  ["create_symlink", ["ln", "-s"]],
  ["cat", ["cat"]],
  ["env", ["env"]],
  ["time", ["time"]],
]);

/** `cmake -E rm -rf path` is `rm`, and so are the other commands that cmake has for scripts. */
const cmake: Wrapper = {
  names: ["cmake"],
  unwrap(args) {
    const [option, verb, ...rest] = args;
    if (option?.text !== "-E" || !verb) return undefined;
    if (verb.text === "chdir" && rest.length > 1)
      return {
        self: false,
        inner: [{ kind: "words", fields: rest.slice(1), external: true, cwd: rest[0] as Field }],
      };
    const words = cmakeWords.get(verb.text);
    if (!words || rest.length === 0) return undefined;
    const fields = [...words.map((word) => literalField(word, verb.place)), ...rest];
    return { self: false, inner: [{ kind: "words", fields, external: true }] };
  },
};

/** Words behind one option are the command: `just --command rm x`, `gdb --args program x`. */
function behind(names: string, option: RegExp, idle?: RegExp): Wrapper {
  return {
    names: names.split(" "),
    unwrap(args) {
      const at = args.findIndex((word) => option.test(word.text));
      const fields = args.slice(at + 1);
      if (at < 0 || fields.length === 0 || idle?.test(fields[0]?.text ?? "") === true) return undefined;
      return { self: true, inner: [{ kind: "words", fields, external: true }] };
    },
  };
}

/** `less '+!text'`: a pager runs what follows `!` in a command it begins with. */
const pagers: Wrapper = {
  names: ["less", "more", "most"],
  unwrap(args) {
    const inner = args.flatMap((word): Inner[] => {
      const text = /^\++\s*[|!#]+\s*(.*)$/s.exec(word.text)?.[1];
      const isNone = text === undefined || (text === "" && word.kind !== "unknown");
      return isNone ? [] : [{ kind: "text", text: withText(word, text) }];
    });
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};

/** Lines behind `!`, in words or on the input, are shell texts: `ed`, `dc`. */
function bangLines(names: string, options: string, texts: readonly string[]): Wrapper {
  const grammar: Grammar = { options: optionList(options) };
  return {
    names: names.split(" "),
    unwrap(args, input) {
      const place = args[0]?.place ?? { start: 0, end: 0 };
      const given = texts.flatMap((name) => valuesOf(readArguments(grammar, args), name));
      if (input?.atom?.kind === "literal") given.push(literalField(input.atom.text, place));
      const inner = given.flatMap((script) =>
        script.text
          .slice(0, codeLength)
          .split("\n")
          .flatMap((line): Inner[] => {
            const text = /^[\d\s,.$%;]*(?:[rwe]\s*)?!(?!=)(.+)$/s.exec(line)?.[1];
            return text === undefined ? [] : [{ kind: "text", text: withText(script, text) }];
          }),
      );
      return inner.length > 0 ? { self: true, inner } : undefined;
    },
  };
}

/** `salt-call cmd.run text`: a module of a configuration manager that hands its words to a shell. */
const salt: Wrapper = {
  names: ["salt-call", "salt"],
  unwrap(args) {
    const at = args.findIndex((word) =>
      /^cmd\.(?:run|shell|script|exec_code|run_all|run_stdout|retcode)$/.test(word.text),
    );
    const words = at < 0 ? [] : args.slice(at + 1).filter((word) => !word.text.startsWith("-"));
    return words.length > 0 ? { self: true, inner: [{ kind: "text", text: joined(words) }] } : undefined;
  },
};

/** `ipython -c code`: lines behind `!` are shell texts, the rest is Python. */
const ipython: Wrapper = {
  names: ["ipython", "ipython3"],
  unwrap(args) {
    const grammar: Grammar = { options: ["-c="], stop: true };
    const inner = valuesOf(readArguments(grammar, args), "-c").flatMap((text): Inner[] => {
      const lines = text.text.slice(0, codeLength).split("\n");
      const ran = lines.flatMap((line): Inner[] => {
        const found = /^(?:[\w\s,]*=)?\s*!{1,2}(.+)$|^\s*%{1,2}(?:sx|system|bash|sh)\s+(.+)$/s.exec(line);
        const shell = found?.[1] ?? found?.[2];
        return shell === undefined ? [] : [{ kind: "text", text: withText(text, shell) }];
      });
      const rest = lines.filter((line) => !/^(?:[\w\s,]*=)?\s*[!%]/.test(line)).join("\n");
      const words = ["python3", "-c", rest].map((word) => literalField(word, text.place));
      return rest.trim() === "" ? ran : [...ran, { kind: "words", fields: words, external: true }];
    });
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};

/** Wrappers for commands that these programs run on request. */
export const toldWrappers: readonly Wrapper[] = [
  code,
  tcl,
  cmake,
  behind("just", /^(?:-c|--command)$/),
  pagers,
  bangLines("ed red", "-p=; -s; -v; -E", []),
  bangLines("dc", "-e --expression=; -f --file=", ["--expression"]),
  salt,
  ipython,
];

/** The rows of those that no other table has. */
export const toldPrograms: readonly Program[] = [
  {
    names: languages.split(" ").filter((name) => !/^(?:scala|swift|guile|racket)$/.test(name)),
    grammar: codeGrammar,
    effects: codeEffects,
  },
  program("apply_patch applypatch", [], (call) => {
    const { input, place } = call.draft;
    const given =
      call.operands.length > 0
        ? call.operands
        : input?.atom
          ? [{ ...literalField(input.atom.text, place), kind: input.atom.kind }]
          : [];
    for (const patch of given) {
      for (const file of patchedFiles(patch.text.slice(0, patchLength))) {
        const path = withText(literalField("", place), file.path);
        if (file.change === "delete") call.to.delete(path, false);
        else call.to.write(path);
      }
      if (patch.kind !== "literal") call.to.doubt("part of the patch is not known");
    }
    if (given.length === 0) call.to.doubt("which files the patch changes is not known");
  }),
  // Terminals among them: the command they start is unwrapped as for any launcher.
  program(
    "ipython dc salt-call wish xterm uxterm rxvt urxvt st lxterm aterm eterm gnome-terminal kgx tilix mate-terminal xfce4-terminal lxterminal terminator konsole alacritty x-terminal-emulator ghostty qterminal foot wezterm dtach abduco empty ttyd gotty",
    [],
    (call) => {
      call.to.run(call.program);
      call.to.doubt(`what ${call.program} runs is not analysed`);
    },
  ),
];
