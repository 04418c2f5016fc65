import { optionList } from "../grammar.ts";
import type { Interpreter } from "./interpreter.ts";
import { lua } from "./lua.ts";
import { node } from "./node.ts";
import { elixir, groovy, julia } from "./others.ts";
import { perl } from "./perl.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { r } from "./r.ts";
import { ruby } from "./ruby.ts";

const stopping = (list: string): { options: readonly string[]; stop: boolean } => ({
  options: optionList(list),
  stop: true,
});

/** Interpreters with the options that give them code. Source: their manuals. */
export const interpreters: readonly Interpreter[] = [
  {
    names: ["python"],
    grammar: stopping("-c=; -m=; -W=; -X=; --check-hash-based-pycs=; -V --version; -h --help"),
    language: python,
    inline: ["-c"],
    modules: ["-m"],
  },
  {
    names: ["node", "nodejs", "bun-node", "deno-run"],
    grammar: stopping(`
    -e --eval=; -p --print=; -c --check; -r --require=; --import=; --loader=; -C --conditions=;
    --env-file=; --env-file-if-exists=; --input-type=; -i --interactive; -v --version; -h --help
  `),
    language: node,
    inline: ["--eval", "--print"],
    files: ["--check"],
  },
  {
    names: ["tsx", "ts-node", "jiti", "esno", "esr", "vite-node", "babel-node", "swc-node", "ts-node-esm"],
    grammar: stopping("-e --eval=; -p --print=; -r --require=; -v --version"),
    language: node,
    inline: ["--eval", "--print"],
  },
  {
    names: ["perl"],
    grammar: stopping("-e=; -E=; -i=?; -I=; -M=; -m=; -F=; -v --version"),
    language: perl,
    inline: ["-e", "-E"],
  },
  {
    names: ["ruby"],
    grammar: stopping("-e=; -i=?; -I=; -r=; -E=; -F=; -C=; -v --version"),
    language: ruby,
    inline: ["-e"],
  },
  {
    names: ["php"],
    grammar: stopping(`
    -r --run=; -B --process-begin=; -R --process-code=; -E --process-end=; -f --file=; -d=; -c=; -S=;
    -t=; -v --version
  `),
    language: php,
    inline: ["--run", "--process-code", "--process-begin", "--process-end"],
    files: ["--file", "-S"],
  },
  { names: ["lua", "luajit"], grammar: stopping("-e=; -l=; -v"), language: lua, inline: ["-e"] },
  { names: ["Rscript", "R"], grammar: stopping("-e=; --version"), language: r, inline: ["-e"] },
  {
    names: ["julia"],
    grammar: stopping(
      "-e --eval=; -E --print=; -L --load=; --project=?; -t --threads=; -p --procs=; -O=?; -v --version",
    ),
    language: julia,
    inline: ["--eval", "--print"],
  },
  { names: ["elixir"], grammar: stopping("-e --eval=; -r=; -S=; -v --version"), language: elixir, inline: ["--eval"] },
  { names: ["groovy"], grammar: stopping("-e=; -cp=; -v --version"), language: groovy, inline: ["-e"] },
  { names: ["osascript"], grammar: stopping("-e=; -l=; -s="), language: undefined, inline: ["-e"] },
];
