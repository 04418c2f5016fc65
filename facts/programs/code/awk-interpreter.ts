import { optionList } from "../grammar.ts";
import { awk } from "./awk.ts";
import type { Interpreter } from "./interpreter.ts";

/** `awk`: its first operand is the program. */
export const awkInterpreter: Interpreter = {
  names: ["awk", "gawk", "mawk", "nawk"],
  grammar: {
    options: optionList(`
    -F --field-separator=; -v --assign=; -f --file=; -i --include=; -l --load=; -e --source=; -E --exec=
  `),
  },
  language: awk,
  inline: ["--source"],
  files: ["--file", "--exec"],
  operand: true,
};
