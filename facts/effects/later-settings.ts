import { spend } from "../meter.ts";
import type { Draft } from "../shell/draft.ts";
import type { Field } from "../shell/fields.ts";

const changingGit =
  /^(?:set|add|--add|--replace-all|--global|--system|--local|--worktree|--fixed-value|--type=\S+|--bool|--path)$/;
const managers = /^(?:npm|pnpm|yarn|cnpm|bun)$/;

/** A part of a file of settings, as a command leaves it. */
interface Setting {
  readonly path: string;
  readonly text: string;
  readonly whole: boolean;
}

/**
 * Returns the setting that a command writes to a settings file it does not name (`git config`, `npm pkg set`), as the file's
 * new text. The readers of such files decide which parts run later.
 */
export function settingsWritten(draft: Draft): Setting | undefined {
  if (draft.program === "git") return ofGit(draft.args);
  return managers.test(draft.program) ? ofPackage(draft.args) : undefined;
}

function ofGit(args: readonly Field[]): Setting | undefined {
  const at = args.findIndex((word) => word.text === "config" && word.kind === "literal");
  if (at < 0) return undefined;
  spend(args.length);
  const words = args.slice(at + 1).filter((word) => !changingGit.test(word.text));
  const file = words.findIndex((word) => /^(?:-f|--file)$/.test(word.text));
  const [key, value] = file < 0 ? words : [...words.slice(0, file), ...words.slice(file + 2)];
  if (!key || !value || !/^[\w-]+\..+$/.test(key.text.slice(0, 512))) return undefined;
  const name = key.text.slice(key.text.lastIndexOf(".") + 1);
  const text = `[${key.text.split(".")[0]}]\n${name} = ${JSON.stringify(value.text.replace(/\r?\n/g, " "))}\n`;
  return { path: ".git/config", text, whole: false };
}

function ofPackage(args: readonly Field[]): Setting | undefined {
  spend(args.length);
  const words = args.filter((word) => !/^-/.test(word.text)).map((word) => word.text);
  const scripts =
    words[0] === "pkg" && words[1] === "set"
      ? words.slice(2).flatMap((word) => {
          const found = /^scripts(?:\.|\[["']?)([\w:.-]+?)["']?\]?=(.*)$/s.exec(word);
          return found ? [[found[1], found[2]] as const] : [];
        })
      : words[0] === "set-script" && words.length > 2
        ? [[words[1], words[2]] as const]
        : [];
  if (scripts.length === 0) return undefined;
  return { path: "package.json", text: JSON.stringify({ scripts: Object.fromEntries(scripts) }), whole: true };
}
