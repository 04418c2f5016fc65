import { wantsColor } from "../cli/io.ts";
import { palette } from "../cli/report/pretty.ts";
import { demonstration } from "./demo/demonstration.ts";

/** `npm run demo` prints the demonstration and exits 0 where every promise held. */
process.exitCode = 1;
const colours = palette(wantsColor(process.env, process.stdout.isTTY === true));
const held = await demonstration((text) => process.stdout.write(text), colours);
process.exitCode = held ? 0 : 1;
