import type { Command } from "commander";
import type { CompletionShell } from "../options.ts";

/** One command, for completion by a shell. */
interface Completed {
  /** Words that call it, as one text: `audit show`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly CompletedOption[];
}

interface CompletedOption {
  /** The long form, `--policy`. */
  readonly long: string;
  readonly summary: string;
  /** Values that it takes; undefined if it takes none, empty if it takes any. */
  readonly values: readonly string[] | undefined;
}

/**
 * Returns a script that completes the commands, options and values of a program in a shell; any other word is completed as a
 * file. The script is made from the program itself and starts nothing.
 */
export function completionScript(shell: CompletionShell, program: Command): string {
  const commands = completed(program, "", optionsOf(program));
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](program.name(), commands);
}

function completed(command: Command, path: string, everywhere: readonly CompletedOption[]): Completed[] {
  const inner = command.commands.filter((one) => one.name() !== "help");
  const own = path === "" ? [] : optionsOf(command);
  const here: Completed = {
    path,
    commands: inner.map((one) => ({ name: one.name(), summary: one.summary() })),
    options: [...own, ...everywhere, { long: "--help", summary: "print help", values: undefined }],
  };
  return [here, ...inner.flatMap((one) => completed(one, `${path} ${one.name()}`.trim(), everywhere))];
}

function optionsOf(command: Command): CompletedOption[] {
  return command.options.flatMap((option) => {
    if (option.hidden || option.long == null) return [];
    const takes = option.required || option.optional;
    return [{ long: option.long, summary: option.description, values: takes ? (option.argChoices ?? []) : undefined }];
  });
}

function bashScript(name: string, commands: readonly Completed[]): string {
  const words = commands.map(
    ({ path, commands: inner, options }) =>
      `    '${path}') words='${[...inner.map((one) => one.name), ...options.map((one) => one.long)].join(" ")}' ;;`,
  );
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ long, values: given }) =>
      given === undefined
        ? []
        : [`    '${path} ${long}') ${given.length > 0 ? `choices='${given.join(" ")}'` : "is_file=1"} ;;`],
    ),
  );
  const known = commands.filter(({ path }) => path !== "").map(({ path }) => `'${path}'`);
  return `# Completion of ${name} for bash; made by \`${name} completion bash\`.
_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} path='' next='' at words='' choices='' is_file=''
  for ((at = 1; at < COMP_CWORD; at++)); do
    next=\${path:+$path }\${COMP_WORDS[at]}
    case "$next" in ${known.join("|")}) path=$next ;; esac
  done
  case "$path $before" in
${values.join("\n")}
  esac
  if [ -n "$choices" ]; then COMPREPLY=($(compgen -W "$choices" -- "$current")); return; fi
  if [ -n "$is_file" ]; then COMPREPLY=($(compgen -f -- "$current")); return; fi
  case "$path" in
${words.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _${name} ${name}
`;
}

function zshScript(name: string, commands: readonly Completed[]): string {
  const described = (text: string): string => text.replaceAll("'", "’").replaceAll(":", "\\:").split("\n")[0] ?? "";
  const lists = commands.map(({ path, commands: inner, options }) => {
    const entries = [
      ...inner.map((one) => `'${one.name}:${described(one.summary)}'`),
      ...options.map((one) => `'${one.long}:${described(one.summary)}'`),
    ];
    return `    '${path}') entries=(${entries.join(" ")}) ;;`;
  });
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ long, values: given }) =>
      given === undefined
        ? []
        : [`    '${path} ${long}') ${given.length > 0 ? `compadd -- ${given.join(" ")}` : "_files"}; return ;;`],
    ),
  );
  const known = commands.filter(({ path }) => path !== "").map(({ path }) => `'${path}'`);
  return `#compdef ${name}
# Completion of ${name} for zsh; made by \`${name} completion zsh\`.
_${name}() {
  local path_='' next='' at
  local -a entries
  for ((at = 2; at < CURRENT; at++)); do
    next="\${path_:+$path_ }\${words[at]}"
    case "$next" in ${known.join("|")}) path_=$next ;; esac
  done
  case "$path_ \${words[CURRENT-1]}" in
${values.join("\n")}
  esac
  case "$path_" in
${lists.join("\n")}
  esac
  _describe -t commands '${name}' entries
  _files
}
if [ "$funcstack[1]" = "_${name}" ]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function fishScript(name: string, commands: readonly Completed[]): string {
  const quoted = (text: string): string =>
    `'${(text.split("\n")[0] ?? "").replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap(({ path, commands: inner, options }) => {
    const here = `complete -c ${name} -n "__${name}_is '${path}'"`;
    return [
      ...inner.map((one) => `${here} -f -a ${one.name} -d ${quoted(one.summary)}`),
      ...options.map(({ long, summary, values }) => {
        const takes = values === undefined ? "" : values.length > 0 ? ` -x -a ${quoted(values.join(" "))}` : " -r";
        return `${here} -l ${long.slice(2)}${takes} -d ${quoted(summary)}`;
      }),
    ];
  });
  const known = commands.filter(({ path }) => path !== "").map(({ path }) => `'${path}'`);
  return `# Completion of ${name} for fish; made by \`${name} completion fish\`.
function __${name}_is
  set -l path
  for word in (commandline -opc)[2..-1]
    set -l next (string join ' ' $path $word)
    if contains -- "$next" ${known.join(" ")}
      set path $next
    end
  end
  test "$path" = "$argv[1]"
end
${lines.join("\n")}
`;
}
