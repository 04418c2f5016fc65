import { Argument, Command, CommanderError, Option } from "commander";
import { packageVersion } from "../store/packs.ts";
import { addAuditExport, addAuditShow, addReplay } from "./audit/commands.ts";
import { addAuditInit, addAuditProve, addAuditPrune, addAuditVerify } from "./audit-commands.ts";
import { addDocs, addInit, addNew } from "./authoring-commands.ts";
import type { CheckOptions } from "./commands/check.ts";
import type { CompileOptions } from "./commands/compile.ts";
import type { EvalOptions } from "./commands/eval.ts";
import type { ExplainOptions } from "./commands/explain.ts";
import type { FmtOptions } from "./commands/fmt.ts";
import type { ImportKind, ImportOptions } from "./commands/import.ts";
import { addApprove, addReload, addToken, addTrust } from "./guard-commands.ts";
import { describeCommands } from "./help.ts";
import { addHook, addMcp, addServe } from "./host-commands.ts";
import { exit, type Io } from "./io.ts";
import { type CompletionShell, completionShells, format, policyOptions, scopeOption, setOption } from "./options.ts";
import { colorChoices, obey, outputOptions } from "./output-options.ts";
import { addTest } from "./test-command.ts";
import { addDoctor, addInstall, addUninstall } from "./wiring-commands.ts";

/**
 * Runs one command line and returns its exit code: never throws, never ends the process. Usage errors and unusable files are
 * 2; an unexpected error is 3, with a message that asks for a report. Source: semantics page section 6.
 */
export async function runCommandLine(given: readonly string[], outer: Io): Promise<number> {
  const { io, done } = obey(outputOptions(given), given, outer);
  const code = await runProgram(given, io);
  await done(code);
  return code;
}

async function runProgram(given: readonly string[], io: Io): Promise<number> {
  let code: number = exit.fine;
  const program = buildProgram(given, io, (result) => {
    code = result;
  });
  try {
    await program.parseAsync([...given], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exit.fine : exit.unusable;
    return unexpected(error, io);
  }
}

async function unexpected(error: unknown, io: Io): Promise<number> {
  const { fileFault, isFileFault } = await import("./file-fault.ts");
  io.err(isFileFault(error) ? fileFault(error, io.color) : internalError(error));
  return isFileFault(error) ? exit.unusable : exit.internal;
}

function internalError(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return (
    `error[HW506]: internal error; no answer was given\n${text.replace(/^/gm, "  ")}\n` +
    "  help: please report this with the command line and the policy that caused it\n"
  );
}

function buildProgram(given: readonly string[], io: Io, done: (code: number) => void): Command {
  const program = new Command("hookwarden")
    .description("Judges the tool calls of AI coding agents by rules in YAML, before they run.")
    .version(packageVersion(), "-V, --version", "print the version")
    .addOption(
      new Option("--color <when>", "colour what is printed; NO_COLOR and FORCE_COLOR count too").choices(colorChoices),
    )
    .option("-q, --quiet", "print nothing where all is well")
    .helpOption("-h, --help", "print help")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.out(text),
      writeErr: io.err,
      outputError: (text, write) => write(usageError(text, commandOf(program, given))),
      getOutHasColors: () => io.color,
      getErrHasColors: () => io.color,
    })
    .showSuggestionAfterError(true)
    .hook("preAction", (_program, command) => refuseHome(command, io));
  // In the order of `--help`, where the first command of a group sets the group's position.
  const start = [addInit, addCheck, addInstall, addDoctor];
  const write = [addNew, addTest, addFmt, addDocs, addImport];
  const look = [addExplain, addEval, addReplay, addAudit];
  const decide = [addTrust, addApprove, addReload, addToken];
  const forHosts = [addHook, addServe, addMcp, addCompile, addUninstall];
  for (const add of [...start, ...write, ...look, ...decide, ...forHosts, addCompletion]) add(program, io, done);
  describeCommands(program);
  return program;
}

/** Throws a usage error like commander's, if the command cannot use `HOME`. */
async function refuseHome(command: Command, io: Io): Promise<void> {
  const { homeFault } = await import("./home-fault.ts");
  const fault = homeFault(nameOf(command), io);
  if (!fault) return;
  const { prettyDiagnostics } = await import("./report/pretty.ts");
  io.err(prettyDiagnostics([fault], new Map(), io.color));
  throw new CommanderError(exit.unusable, "hookwarden.home", fault.message);
}

function nameOf(command: Command): string {
  const above = command.parent?.name() ?? "";
  return above === "audit" ? `audit ${command.name()}` : command.name();
}

/** Returns commander's message as a diagnostic: `error[HW701]: …` with the suggestion as help. */
function usageError(text: string, command: string): string {
  const [first = "", ...rest] = text
    .trim()
    .replace(/^error: /, "")
    .split("\n");
  const message = first.replaceAll("'", "`").replace(/\.$/, "");
  const near = /\(Did you mean (one of )?(.+?)\?\)/.exec(rest.join(" "))?.[2];
  const help = near === undefined ? `see \`${command} --help\`` : `did you mean \`${near}\`?`;
  return `error[HW701]: ${message}\n  help: ${help}\n`;
}

/** Returns the command of a command line, as typed: `hookwarden audit show`. */
function commandOf(program: Command, given: readonly string[]): string {
  const names = ["hookwarden"];
  let at = program;
  for (const word of given) {
    const found = at.commands.find((one) => one.name() === word);
    if (!found) break;
    names.push(word);
    at = found;
  }
  return names.join(" ");
}

type Add = (program: Command, io: Io, done: (code: number) => void) => void;

const addCheck: Add = (program, io, done) => {
  program
    .command("check")
    .summary("check policies: form, types, lints, examples")
    .description(
      "Checks policies and runs their examples.\nWithout paths: `.hookwarden` here, and what HOOKWARDEN_POLICY names.",
    )
    .argument("[paths...]", "policy files, folders, or pack:<name>")
    .addOption(format(["pretty", "json", "sarif", "junit", "github"]))
    .addOption(setOption())
    .addOption(scopeOption())
    .addOption(
      new Option("--host <host>", "also say what this host cannot enforce; may be given more than once").argParser(
        (value: string, before: string[] | undefined) => [...(before ?? []), value],
      ),
    )
    .addOption(
      new Option("--fail-level <level>", "findings from this level on make the exit code 1").choices([
        "error",
        "warning",
        "info",
      ]),
    )
    .option("--config <file>", "configuration in place of the nearest .hookwarden/check.yaml")
    .option("--fix", "make the fixes that findings carry; a policy with an error is left alone")
    .option(
      "--thorough",
      "judge the examples in other spellings too: quoted, wrapped, from a folder above, with words left open",
    )
    .option("--strict", "a name that no table has, and a test that was seen to be dead, is an error")
    .action(async (paths: string[], options: CheckOptions) => {
      const { check } = await import("./commands/check.ts");
      done(await check(paths, options, io));
    });
};

const addFmt: Add = (program, io, done) => {
  program
    .command("fmt")
    .summary("write policies in canonical form, comments kept")
    .description(
      "Writes policies in canonical form; what they mean stays exactly the same.\nWithout paths: `.hookwarden` here.",
    )
    .argument("[paths...]", "policy files or folders; suites (`*.test.yaml`) are left alone")
    .option("--check", "write nothing; exit code 1 when a file would change")
    .addOption(
      new Option("--to <spelling>", "also convert conditions: yaml: tests; expr: expressions").choices([
        "yaml",
        "expr",
      ]),
    )
    .action(async (paths: string[], options: FmtOptions) => {
      const { format: formatPolicies } = await import("./commands/fmt.ts");
      done(await formatPolicies(paths, options, io));
    });
};

const addEval: Add = (program, io, done) => {
  policyOptions(program.command("eval"))
    .summary("judge events: one JSON decision per event line")
    .description(
      "Judges events, one JSON object per line, and prints one decision per event.\nNever looks at this machine: what an event does not say does not exist.",
    )
    .option("--events <file>", "file of events; standard input when not given, or `-`")
    .option("--audit <file>", "also append audit records to this file")
    .option("--no-index", "judge every rule that names an event, to compare with; decisions are the same")
    .action(async (options: EvalOptions) => {
      const { evaluate } = await import("./commands/eval.ts");
      done(await evaluate(options, io));
    });
};

const addExplain: Add = (program, io, done) => {
  policyOptions(program.command("explain"))
    .summary("show how one event is understood and judged")
    .description("Shows the answer to one event, what was understood of it, and the rules that matched or nearly did.")
    .addOption(new Option("--tool <name>", "tool of the call").conflicts(["event", "events"]))
    .addOption(new Option("--args <json>", "arguments of the call, as a JSON object").conflicts(["event", "events"]))
    .addOption(new Option("--event <file>", "file with one event as JSON; `-` for standard input").conflicts("events"))
    .option("--events <file>", "file of events as for `eval`: the last is explained, after those before it")
    .addOption(new Option("--nth <n>", "explain the nth of `--events`, from 1").conflicts(["event", "tool"]))
    .addOption(new Option("--all", "every condition of every rule, with its value").conflicts("whyNot"))
    .option("--why-not <rule>", "the answer, and why this rule did not fire: its name, or `policy/rule`")
    .addOption(format(["pretty", "json"]))
    .action(async (options: ExplainOptions) => {
      const { explainEvent } = await import("./commands/explain.ts");
      done(await explainEvent(options, io));
    });
};

const addCompile: Add = (program, io, done) => {
  policyOptions(program.command("compile"))
    .summary("write policies as a plan or as a guard for a host")
    .description("Compiles policies to one file. Writes nothing when a policy has an error.")
    .requiredOption("-o, --out <file>", "file to write")
    .addOption(
      new Option("--target <target>", "plan: canonical JSON; pi, omp, opencode: one self-contained extension")
        .choices(["plan", "pi", "omp", "opencode"])
        .default("plan"),
    )
    .option("--audit <file>", "audit trail that the guard writes (every target but plan)")
    .option("--force", "overwrite a file that hookwarden did not write")
    .action(async (options: CompileOptions) => {
      const { compilePolicies } = await import("./commands/compile.ts");
      done(await compilePolicies(options, io));
    });
};

const addCompletion: Add = (program, io, done) => {
  program
    .command("completion")
    .summary("completion of commands, options and values for a shell")
    .description("Prints a script that completes hookwarden's commands, options and values in a shell.")
    .addArgument(new Argument("<shell>", "shell that is to complete").choices(completionShells))
    .action(async (shell: CompletionShell) => {
      const { completionScript } = await import("./commands/completion.ts");
      await io.out(completionScript(shell, program));
      done(exit.fine);
    });
};

const addAudit: Add = (program, io, done) => {
  const audit = program
    .command("audit")
    .summary("read, check and prove audit trails")
    .description("Works on audit trails.");
  for (const add of [addAuditInit, addAuditVerify, addAuditShow, addAuditExport, addAuditProve, addAuditPrune])
    add(audit, io, done);
};

const addImport: Add = (program, io, done) => {
  const others = program.command("import").summary("turn others' rules into a policy").description("Imports rules.");
  const listed = "What cannot be carried over is listed on standard error, with its line.";
  const add = (kind: ImportKind, summary: string, turns: string, argument: string, many: boolean): void => {
    others
      .command(kind)
      .summary(summary)
      .description(`${turns}\n${listed}`)
      .argument(many ? "<files...>" : "<file>", argument)
      .option("-o, --out <file>", "file to write; standard output when not given, or `-`")
      .addOption(new Option("--report <format>", "how to print the list").choices(["pretty", "json"]).default("pretty"))
      .option("--force", "overwrite a file that no import wrote")
      .action(async (given: string | string[], options: ImportOptions) => {
        const { importFiles } = await import("./commands/import.ts");
        done(await importFiles(kind, typeof given === "string" ? [given] : given, options, io));
      });
  };
  add(
    "gitleaks",
    "a gitleaks configuration as a policy that redacts",
    "Turns a gitleaks configuration (TOML) into a policy that redacts.",
    "TOML file",
    false,
  );
  add(
    "opta",
    "an Opta configuration as a policy that runs its hooks",
    "Turns the hooks of an Opta configuration (JSON) into a policy that runs them.",
    "JSON file",
    false,
  );
  add(
    "claude",
    "permissions and hooks of Claude Code as a policy",
    "Turns settings of Claude Code (JSON) into a policy; several files are taken together.",
    "settings.json, and others",
    true,
  );
  add(
    "hookify",
    "hookify rules as a policy",
    "Turns hookify rules (Markdown with a head) into a policy.",
    "rule files",
    true,
  );
  add(
    "sigma",
    "Sigma rules for process creation as a policy",
    "Turns Sigma rules for process creation (YAML) into a policy.",
    "rule files",
    true,
  );
};
