import { surroundings } from "../../../cli/consent/surroundings.ts";
import { controllingTerminal } from "../../../cli/consent/terminal.ts";
import { processIo } from "../../../cli/io.ts";
import { runCommandLine } from "../../../cli/program.ts";

/**
 * The command line with everything real but who started it, so that tests of a human's terminal hold inside agents too, and
 * but the file of root, which tests do not write: its path and owner are the first two words.
 */
const [path = "", owner = "0", ...args] = process.argv.slice(2);

void runCommandLine(args, {
  ...processIo(),
  human: async () => ({
    terminal: controllingTerminal,
    surroundings: () => ({ ...surroundings(), ancestors: [], leaders: [], holders: [] }),
    unattended: { path, owner: Number(owner) },
  }),
}).then((code) => {
  process.exitCode = code;
});
