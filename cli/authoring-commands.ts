import { type Command, Option } from "commander";
import { ruleKindNames, ruleKinds } from "../authoring/new/rule-kinds.ts";
import type { DocsOptions } from "./commands/docs.ts";
import type { InitOptions } from "./commands/init.ts";
import type { NewPolicyOptions, NewRuleOptions } from "./commands/new.ts";
import type { Io } from "./io.ts";

type Add = (program: Command, io: Io, done: (code: number) => void) => void;

/** Adds `init`. */
export const addInit: Add = (program, io, done) => {
  program
    .command("init")
    .summary("write a first policy with a suite into .hookwarden")
    .description(
      "Writes `.hookwarden/policy.yaml` with a rule and its examples, a suite, and schemas for editors.\nChanges nothing that is there. Shows the shipped packs and asks for some on a terminal, unless an option says which.",
    )
    .option("--host <host>", "also wire hookwarden into this host, as `install` does")
    .addOption(
      new Option("--pack <name>", "shipped policy to import; may be given more than once").argParser(
        (value: string, before: string[] | undefined) => [...(before ?? []), value],
      ),
    )
    .option("--packs <names>", "shipped policies to import, separated by commas")
    .option("--no-packs", "import no shipped policy")
    .option("--list", "show the shipped policies, and write nothing")
    .option("--yes", "ask nothing; take what is offered")
    .action(async (options: InitOptions) => {
      const { init } = await import("./commands/init.ts");
      done(await init(options, io));
    });
};

/** Adds `new policy` and `new rule`. */
export const addNew: Add = (program, io, done) => {
  const parts = program.command("new").summary("begin a policy or a rule").description("Begins a policy or a rule.");
  parts
    .command("policy")
    .summary("a policy with a rule, examples and a suite")
    .description("Writes `<id>.yaml` and `<id>.test.yaml`, which must not be there yet.")
    .argument("<id>", "id of the policy, such as `no-deploys`")
    .option("--folder <folder>", "folder to write into", ".hookwarden")
    .action(async (id: string, options: NewPolicyOptions) => {
      const { newPolicy } = await import("./commands/new.ts");
      done(await newPolicy(id, options, io));
    });
  const kinds = ruleKindNames.map((name) => `${name}: ${ruleKinds[name].about}`).join("\n");
  parts
    .command("rule")
    .summary("another rule in a policy, complete and with examples")
    .description(`Adds a rule behind the last one; everything else in the file stays as it is. Kinds:\n${kinds}`)
    .argument("<id>", "id of the rule, such as `ask-before-deploy`")
    .option("-p, --policy <file>", "policy to add it to", ".hookwarden/policy.yaml")
    .addOption(new Option("--kind <kind>", "what it is like").choices(ruleKindNames).default("command"))
    .action(async (id: string, options: NewRuleOptions) => {
      const { newRule } = await import("./commands/new.ts");
      done(await newRule(id, options, io));
    });
};

/** Adds `docs`. */
export const addDocs: Add = (program, io, done) => {
  program
    .command("docs")
    .summary("policies as a Markdown page")
    .description(
      "Renders policies to Markdown: rules, parameters, lists, labels and exceptions.\nWithout paths: `.hookwarden` here.",
    )
    .argument("[paths...]", "policy files, folders, or pack:<name>")
    .option("-o, --out <file>", "file to write; standard output when not given, or `-`")
    .option("--check", "write nothing; exit code 1 when the file is not what would be written")
    .option("--force", "overwrite a file that `docs` did not write")
    .action(async (paths: string[], options: DocsOptions) => {
      const { docs } = await import("./commands/docs.ts");
      done(await docs(paths, options, io));
    });
};
