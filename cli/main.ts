import { processIo } from "./io.ts";
import { runCommandLine } from "./program.ts";

// No `await` at the top: as built this is no module of its own, but a program that `launcher.ts` begins.
void runCommandLine(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code;
});
