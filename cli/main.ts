import { processIo } from "./io.ts";
import { runCommandLine } from "./program.ts";

process.exitCode = await runCommandLine(process.argv.slice(2), processIo());
