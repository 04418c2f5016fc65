import { type Command, Option } from "commander";
import type { DoctorOptions } from "./commands/doctor.ts";
import type { InstallOptions } from "./commands/install.ts";
import type { UninstallOptions } from "./commands/uninstall.ts";
import type { Io } from "./io.ts";
import { format, policyOption, setOption, tokenOption } from "./options.ts";

type Add = (program: Command, io: Io, done: (code: number) => void) => void;

/** Adds `install`. */
export const addInstall: Add = (program, io, done) => {
  wiringOptions(program.command("install"))
    .summary("wire hookwarden into a host, without disturbing what is there")
    .description(
      "Writes the host's configuration, keeps a copy of what was there, and says what is left for a human to do.\nPolicies of --policy are named by absolute path; the usual places count besides.",
    )
    .argument(
      "<host>",
      "claude-code, codex, gemini, copilot, vscode, cursor, windsurf, cline, goose, opencode, pi, omp, …",
    )
    .addOption(policyOption())
    .addOption(setOption())
    .option("--daemon [socket]", "hooks ask `hookwarden serve` first, and do without it where none runs")
    .action(async (host: string, options: InstallOptions) => {
      const { install } = await import("./commands/install.ts");
      done(await install(host, options, io));
    });
};

/** Adds `uninstall`. */
export const addUninstall: Add = (program, io, done) => {
  wiringOptions(program.command("uninstall"))
    .summary("take away what `install` wrote, and nothing else")
    .description("Takes hookwarden out of a host's configuration; everything else in it stays byte for byte.")
    .argument("<host>", "as for `install`")
    .action(async (host: string, options: UninstallOptions) => {
      const { uninstall } = await import("./commands/uninstall.ts");
      done(await uninstall(host, options, io));
    });
};

function wiringOptions(command: Command): Command {
  return placeOptions(command).option("--dry-run", "write nothing; show what would change").addOption(tokenOption());
}

function placeOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--scope <scope>", "user: for every project; project: for the one here").choices(["user", "project"]),
    )
    .option("--config <file>", "configuration of the client (mcp), or Gastown's hooks (gastown)")
    .option("--server <name>", "MCP server in that configuration (mcp)");
}

/** Adds `doctor`. */
export const addDoctor: Add = (program, io, done) => {
  placeOptions(program.command("doctor"))
    .summary("show whether hookwarden can work here, and what to do where it cannot")
    .description(
      "Looks at Node, the regex engine, policies, trust, keys, the audit folder and the wiring of hosts.\nWith a host it also proves by a canary that a block blocks; the host itself is never run. Changes nothing.\nExit code: 0 all is well, 2 something to act on.",
    )
    .argument("[host]", "as for `install`; every host when not given")
    .addOption(format(["pretty", "json"]))
    .action(async (host: string | undefined, options: DoctorOptions) => {
      const { doctor } = await import("./commands/doctor.ts");
      done(await doctor(host, options, io));
    });
};
