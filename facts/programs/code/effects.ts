import { type Field, literalField } from "../../shell/fields.ts";
import { type Call, readAll } from "../program.ts";
import type { Interpreter } from "./interpreter.ts";
import { reportCode } from "./report.ts";
import { scanSource, sourceOf } from "./sources.ts";

/** Returns the effects of an interpreter: inline code is scanned; a script file or unknown code is reported as run and not analysed. */
export function interprets(how: Interpreter): (call: Call) => void {
  return (call) => {
    preloads(call, how);
    if (call.operands.length === 0 && given(call, "--version", "--help", "-V") && !given(call, ...how.inline)) return;
    const label = call.program;
    const source = sourceOf(how, call.args, call.draft.input, call.draft.place);
    if (source) {
      call.to.run(source.option === undefined ? label : `${label} ${source.option}`);
      const found = scanSource(how, source, call.args, call.words);
      reportCode(found, label, source.place, call.to);
      // Code that runs something unnamed, and is given fetched or decoded text, may run that text.
      const origin = source.option === undefined ? undefined : call.draft.input?.atom?.origin;
      if (origin !== undefined && found.runsUnknown) call.to.run(label, true, origin);
      if (source.option !== undefined) operandsOf(call, source.code);
      return;
    }
    const module = how.modules?.map((name) => call.value(name)).find((value) => value !== undefined);
    if (source === undefined && module) runModule(call, module);
    else runScript(call, how, source);
  };
}

function given(call: Call, ...names: readonly string[]): boolean {
  return names.some((name) => call.has(name));
}

/** Modules and files that are loaded first. */
function preloads(call: Call, how: Interpreter): void {
  if (call.program.startsWith("php")) return;
  for (const name of ["-r", "--require", "--import", "--loader"]) {
    for (const value of call.values(name)) {
      const standard = how.language?.modules.has(value.text.split("/")[0] as string) === true;
      call.to.run(value.text);
      if (!standard) call.to.doubt(`${call.program} loads \`${value.text.slice(0, 60)}\` first`);
    }
  }
  for (const name of ["--env-file", "--env-file-if-exists"]) for (const file of call.values(name)) call.to.read(file);
  for (const name of ["-M", "-m"]) {
    if (how.modules?.includes(name)) continue;
    for (const value of call.values(name))
      if (how.language?.modules.has(value.text.split(/::|=/)[0] as string) !== true)
        call.to.doubt(`${call.program} loads \`${value.text.slice(0, 60)}\` first`);
  }
}

/** Under `-n` and `-p` perl and ruby read their operands, and write them under `-i`; so does code with `<>`. */
function operandsOf(call: Call, code: string): void {
  if (!/^(?:perl|ruby)/.test(call.program)) return;
  if (!given(call, "-n", "-p") && !/<>|<ARGV>|ARGF/.test(code)) return;
  readAll(call);
  if (call.has("-i")) for (const operand of call.operands) call.to.write(operand);
}

function runScript(call: Call, how: Interpreter, source: null | undefined): void {
  const [script] = call.operands;
  const inline = how.inline.find((name) => call.has(name));
  const file = how.files?.map((name) => call.value(name)).find((value) => value !== undefined) ?? script;
  if (source === undefined && file && file.text !== "-" && file.content === undefined && inline === undefined) {
    call.to.read(file);
    call.to.run(file.text, file.kind !== "unknown");
  } else call.to.run(inline === undefined ? call.program : `${call.program} ${inline}`);
  call.to.doubt(`what ${call.program} runs is not analysed`);
}

/** `python -m module`. */
function runModule(call: Call, module: Field): void {
  const [first, second] = call.operands;
  call.to.run(module.text, module.kind !== "unknown");
  const here = literalField(".", call.draft.place);
  switch (module.kind === "literal" ? module.text : "") {
    case "json.tool":
      if (first && first.text !== "-") call.to.read(first);
      if (second) call.to.write(second);
      return;
    case "venv":
    case "virtualenv":
      for (const operand of call.operands) call.to.write(operand);
      return;
    case "py_compile":
    case "compileall":
      for (const operand of call.operands.length > 0 ? call.operands : [here]) {
        call.to.read(operand, { recursive: true });
        call.to.write(operand);
      }
      return;
    case "tarfile":
    case "zipfile": {
      const at = call.words.findIndex((word) => /^(?:-e|--extract)$/.test(word.text));
      const [archive, folder = here] = at < 0 ? [] : call.words.slice(at + 1).filter((word) => word.text[0] !== "-");
      if (archive) {
        call.to.read(archive);
        call.to.write(folder);
        call.to.tree(folder, "replaced");
      } else call.to.doubt(`what ${call.program} runs is not analysed`);
      return;
    }
    case "base64":
    case "calendar":
    case "platform":
    case "site":
    case "sysconfig":
    case "tabnanny":
    case "tokenize":
    case "ast":
      readAll(call);
      return;
    case "http.server":
    case "SimpleHTTPServer":
      call.to.read(call.words.find((_, i) => /^(?:-d|--directory)$/.test(call.words[i - 1]?.text ?? "")) ?? here, {
        recursive: true,
      });
      call.to.doubt("it serves a folder to the network");
      return;
    default:
      call.to.doubt(`what ${call.program} runs is not analysed`);
  }
}
