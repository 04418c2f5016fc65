import { processIo } from "./io.ts";
import { runCommandLine } from "./program.ts";

// No `await` at the top: the build makes this a program that `launcher.ts` starts, not a module.
void runCommandLine(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code;
});
