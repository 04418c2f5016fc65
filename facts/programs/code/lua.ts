import * as act from "./actions.ts";
import { actions, type Language } from "./language.ts";
import { type Lexicon, lineEnds, words } from "./lexicon.ts";
import { knownText, textValue, type Value } from "./values.ts";

const lexicon: Lexicon = {
  lineEnd: lineEnds.feedOrReturn,
  lineComments: ["--"],
  blockComments: [
    ["--[[", "]]"],
    ["--[=[", "]=]"],
  ],
  quotes: [
    { open: '"', close: '"', escapes: "c" },
    { open: "'", close: "'", escapes: "c" },
    { open: "[[", close: "]]", escapes: "none" },
    { open: "[=[", close: "]=]", escapes: "none" },
    { open: "[==[", close: "]==]", escapes: "none" },
  ],
  newlines: false,
  regex: false,
  nameStart: /[A-Za-z_]/,
  namePart: /\w/,
  keywords: words("function local if then else elseif end while for in do repeat until return break goto and or not"),
  members: new Set([".", ":"]),
  joins: new Set([".."]),
  adjacent: "none",
  bareCalls: "texts",
  braces: "object",
  pairs: new Set(["="]),
};

/** Lua. */
export const lua: Language = {
  name: "lua",
  lexicon,
  calls: actions([
    ["os.execute io.popen", act.shell()],
    ["os.remove", act.deletes(false, 0)],
    ["os.rename", act.moves],
    ["io.open", act.opens()],
    ["io.lines io.input dofile loadfile", act.reads()],
    ["io.output", act.writes()],
    [
      "load loadstring",
      (call) => {
        call.evaluate(call.args[0] ?? textValue(""));
        return { kind: "name", name: "tostring" };
      },
    ],
    ["require", act.doubts("it loads a module")],
  ]),
  folds: actions([
    ["string.char", act.characters],
    ["table.concat", act.joins],
    [
      "string.reverse",
      (call) => {
        const text = knownText(call.args[0]);
        return text === undefined ? undefined : textValue([...text].reverse().join(""));
      },
    ],
    [
      "os.getenv",
      (call) =>
        knownText(call.args[0]) === "HOME" ? ({ kind: "text", text: "~", home: true } satisfies Value) : undefined,
    ],
  ]),
  methods: actions([
    [
      "reverse",
      (call) => {
        const text = knownText(call.on);
        return text === undefined ? undefined : textValue([...text].reverse().join(""));
      },
    ],
  ]),
  pure: words(
    "print tostring tonumber type pairs ipairs next select assert error pcall xpcall unpack rawget rawset rawlen rawequal setmetatable getmetatable collectgarbage string.* table.* math.* utf8.* coroutine.* bit.* bit32.* os.time os.date os.clock os.difftime os.exit io.write io.read io.type io.flush jit.*",
  ),
  pureMethods: words("read write lines close seek flush format sub gsub gmatch match find len upper lower rep byte"),
  modules: words("os io string table math package debug"),
  constants: new Map(),
  argv: [["arg", 1]],
};
