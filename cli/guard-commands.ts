import { type Command, Option } from "commander";
import { guardVerbs } from "../store/tokens.ts";
import type { ApproveOptions } from "./commands/approve.ts";
import type { ReloadOptions } from "./commands/reload.ts";
import type { TokenOptions } from "./commands/token.ts";
import type { TrustOptions } from "./commands/trust.ts";
import type { Io } from "./io.ts";
import { policyOptions, tokenOption, wholeNumber } from "./options.ts";

type Add = (program: Command, io: Io, done: (code: number) => void) => void;

/** Adds `trust`. */
export const addTrust: Add = (program, io, done) => {
  program
    .command("trust")
    .summary("let a project's policy do more than tighten")
    .description(
      "Shows what a project's policy would newly be allowed, and trusts these very bytes once you say so.\nWithout paths: `.hookwarden` here. A change of the files needs trust again.",
    )
    .argument("[paths...]", "policy files or folders")
    .option("--remove", "take the trust back")
    .addOption(tokenOption())
    .action(async (paths: string[], options: TrustOptions) => {
      const { trustPolicies } = await import("./commands/trust.ts");
      done(await trustPolicies(paths, options, io));
    });
};

/** Adds `reload`. */
export const addReload: Add = (program, io, done) => {
  policyOptions(program.command("reload"))
    .summary("let running sessions use the policies as they now are")
    .description(
      "Running sessions keep the policies they began with. This lets them go on with those that stand here now.\nWithout --policy: those of the usual places.",
    )
    .addOption(tokenOption())
    .action(async (options: ReloadOptions) => {
      const { reload } = await import("./commands/reload.ts");
      done(await reload(options, io));
    });
};

/** Adds `approve`. */
export const addApprove: Add = (program, io, done) => {
  program
    .command("approve")
    .summary("let one call run once that nobody could be asked about")
    .description(
      "Break-glass for a call that a policy asks about where nobody can be asked. Lifts no block.\nWithout --once: shows the calls that wait, and asks which.",
    )
    .option("--once <key>", "key of the call, as the audit trail has it")
    .addOption(tokenOption())
    .action(async (options: ApproveOptions) => {
      const { approve } = await import("./commands/approve.ts");
      done(await approve(options, io));
    });
};

/** Adds `token`. */
export const addToken: Add = (program, io, done) => {
  program
    .command("token")
    .summary("let a script of yours change the guard, a few times and for a while")
    .description(
      `Writes a file that stands for your answer, as \`--token <file>\` of these verbs:\n${guardVerbs.join(", ")}.`,
    )
    .argument("[verbs...]", "what whoever holds it may do")
    .option("-o, --out <file>", "file to write, which must not be there yet")
    .addOption(new Option("--uses <number>", "how often, up to 16").argParser(wholeNumber).default(1))
    .addOption(new Option("--minutes <number>", "for how long, up to 1440").argParser(wholeNumber).default(10))
    .option("--inside-agents", "it holds inside an agent too; else it is refused there")
    .option("--revoke", "take back every token that was made")
    .action(async (verbs: string[], options: TokenOptions) => {
      const { token } = await import("./commands/token.ts");
      done(await token(verbs, options, io));
    });
};
