import * as act from "./actions.ts";
import { type Action, actions, type Language, type Statement } from "./language.ts";
import { type Lexicon, lineEnds, words } from "./lexicon.ts";
import { joinedPath, knownText, textValue, unknown, type Value } from "./values.ts";

const lexicon: Lexicon = {
  lineEnd: lineEnds.javascript,
  lineComments: ["//", "#!"],
  blockComments: [["/*", "*/"]],
  quotes: [
    { open: '"', close: '"', escapes: "c" },
    { open: "'", close: "'", escapes: "c" },
    { open: "`", close: "`", escapes: "c", interpolation: "${" },
  ],
  newlines: false,
  regex: true,
  nameStart: /[\p{L}_$]/u,
  namePart: /[\p{L}\p{N}_$]/u,
  keywords: words(
    "import export class function for in of while do if else return try catch finally throw break continue switch case default instanceof extends static get set async debugger with",
  ),
  members: new Set([".", "?."]),
  joins: new Set(["+"]),
  adjacent: "none",
  bareCalls: "texts",
  braces: "either",
  pairs: new Set([":"]),
};

const required: Action = (call) => {
  const name = knownText(call.args[0]);
  if (name === undefined) {
    call.to.doubt("it loads a module that is not known");
    return undefined;
  }
  const module = canonical(name);
  if (!modules.has(module.split("/")[0] as string)) call.to.load(call.args[0] as Value);
  if (/^[./~]/.test(name)) {
    if (name.endsWith(".json") || name.endsWith("package")) call.to.read(call.args[0] as Value);
    if (!name.endsWith(".json")) call.to.doubt(`it loads \`${name.slice(0, 60)}\``);
    return undefined;
  }
  if (!modules.has(module.split("/")[0] as string)) call.to.doubt(`it loads \`${name.slice(0, 60)}\``);
  return { kind: "name", name: module };
};

function canonical(name: string): string {
  return name
    .replace(/^node:/, "")
    .replace(/^(?:globalThis|global|window|process\.mainModule|module)\.(?=[a-z])/i, "")
    .replace(/^(fs|dns|timers|stream|readline)[./]promises\b/, "$1")
    .replace(/\.default\b/, "")
    .replace(/^(?:cp|childProcess)\.(?=exec|spawn|fork)/, "child_process.");
}

const opensStream =
  (mode: "r" | "w"): Action =>
  (call) => {
    act.openedAs(call, call.args[0] ?? unknown, mode);
    return undefined;
  };

const readFile: Action = (call) => {
  const path = call.args[0] ?? unknown;
  // File 0 is the input.
  if (path.kind === "number" || /^\/dev\/stdin$/.test(knownText(path) ?? "")) return undefined;
  call.to.read(path);
  return undefined;
};

const both: Action = (call) => {
  act.openedAs(call, call.args[0] ?? unknown, call.args[1] === undefined ? "r" : knownText(call.args[1]));
  return undefined;
};

const buffer: Action = (call) => {
  const encoding = knownText(call.args[1]) ?? "utf8";
  if (/^base64(?:url)?$/.test(encoding)) return act.decodesBase64(call.args[0]);
  return encoding === "hex" ? act.decodesHex(call.args[0]) : call.args[0];
};

/** The last argument of `Function` is its body. */
const makesFunction: Action = (call) => {
  call.evaluate(call.args.at(-1) ?? textValue(""));
  return { kind: "name", name: "Boolean" };
};

const timer: Action = (call) => {
  if (call.args[0]?.kind === "text") call.evaluate(call.args[0]);
  return undefined;
};

const calls = actions([
  ["child_process.exec child_process.execSync execSync", act.shell()],
  [
    "child_process.execFile child_process.execFileSync child_process.spawn child_process.spawnSync spawnSync",
    act.program(),
  ],
  ["child_process.fork worker_threads.Worker Worker cluster.fork", act.doubts("it runs another script")],
  [
    "Bun.spawn Bun.spawnSync",
    (call) =>
      void act.runsWords(
        call,
        call.args[0]?.kind === "list" && call.args[0].items.length > 0 ? call.args[0].items : [unknown],
      ),
  ],
  ["Bun.$ zx.$ execa.$", act.shell()],
  ["Deno.Command", (call) => void act.runsWords(call, [call.args[0] ?? unknown, ...listItems(call.named.get("args"))])],
  ["Deno.run", (call) => void act.runsWords(call, listItems(call.named.get("cmd")))],
  ["fs.rm fs.rmSync fs.rmdir fs.rmdirSync Deno.remove Deno.removeSync", act.deletes("option", 0)],
  ["fs.unlink fs.unlinkSync", act.deletes(false, 0)],
  [
    "fsExtra.remove fs.remove fs.removeSync fs.emptyDir fs.emptyDirSync rimraf rimraf.sync rimraf.rimraf rimraf.rimrafSync fs-extra.remove fs-extra.removeSync",
    act.deletes(true, 0),
  ],
  ["fs.rename fs.renameSync Deno.rename Deno.renameSync", act.moves],
  ["fs.copyFile fs.copyFileSync Deno.copyFile Deno.copyFileSync", act.copies],
  ["fs.cp fs.cpSync fs.copySync", act.copiesTree],
  ["fs.link fs.linkSync fs.symlink fs.symlinkSync", act.links],
  [
    "fs.writeFile fs.writeFileSync fs.appendFile fs.appendFileSync fs.mkdir fs.mkdirSync fs.mkdtemp fs.mkdtempSync fs.chmod fs.chmodSync fs.chown fs.chownSync fs.truncate fs.truncateSync fs.utimes fs.utimesSync Bun.write Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile Deno.writeFileSync Deno.mkdir Deno.mkdirSync",
    act.writes(),
  ],
  ["fs.createWriteStream", opensStream("w")],
  ["fs.createReadStream", opensStream("r")],
  ["fs.open fs.openSync", both],
  [
    "fs.readFile fs.readFileSync Bun.file Deno.readTextFile Deno.readTextFileSync Deno.readFile Deno.readFileSync",
    readFile,
  ],
  [
    "fs.readdir fs.readdirSync fs.opendir fs.opendirSync fs.watch fs.watchFile Deno.readDir Deno.readDirSync",
    act.reads(0, { metadata: true }),
  ],
  [
    "fetch axios got undici.fetch undici.request http.request https.request http.get https.get axios.get axios.head got.get ky ky.get",
    act.fetches("download"),
  ],
  [
    "axios.post axios.put axios.patch axios.delete got.post got.put ky.post superagent.post navigator.sendBeacon",
    act.fetches("upload"),
  ],
  [
    "axios.request http2.connect WebSocket EventSource dns.lookup dns.resolve dns.resolve4 dns.resolve6 dns.resolveTxt",
    act.fetches("both"),
  ],
  ["net.connect net.createConnection tls.connect dgram.createSocket net.Socket", act.connects],
  ["Bun.serve Bun.listen Deno.listen Deno.serve", act.listens],
  ["eval vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script vm.compileFunction", act.evaluates],
  ["Function", makesFunction],
  ["setTimeout setInterval setImmediate", timer],
  ["process.chdir Deno.chdir", act.changesFolder],
  ["process.kill", act.kills],
  ["process.binding process._linkedBinding process.dlopen", act.doubts("it reaches into the interpreter")],
]);

function listItems(value: Value | undefined): readonly Value[] {
  return value?.kind === "list" ? value.items : [unknown];
}

const folds = actions([
  ["require import module.require mainModule.require createRequire", required],
  [
    "path.join posix.join",
    (call) =>
      joinedPath(
        call.args.map((arg) => (arg.kind === "text" ? { ...arg, text: arg.text.replace(/^\.\/(?=.)/, "") } : arg)),
      ),
  ],
  [
    "path.resolve posix.resolve path.normalize String URL url.fileURLToPath url.pathToFileURL Promise.resolve util.promisify decodeURIComponent unescape",
    act.same,
  ],
  ["os.homedir", () => ({ kind: "text", text: "~", home: true })],
  ["process.cwd Deno.cwd", () => textValue(".")],
  ["Buffer.from", buffer],
  ["atob", (call) => act.decodesBase64(call.args[0])],
  ["String.fromCharCode String.fromCodePoint", act.characters],
  ["String.raw", act.same],
  ["Array.of", (call) => ({ kind: "list", items: call.args, named: new Map() })],
]);

const methods = actions([
  ["join", act.joins],
  ["concat", (call) => (call.on?.kind === "text" ? act.concatenation(call) : undefined)],
  ["replace replaceAll", act.replaces],
  ["toString trim toLowerCase valueOf normalize", act.same],
  [
    "split",
    (call) => {
      const [text, by] = [knownText(call.on), knownText(call.args[0])];
      return text === undefined || by === undefined || text.length > 4096
        ? undefined
        : { kind: "list", items: text.split(by).map(textValue), named: new Map() };
    },
  ],
  [
    "reverse",
    (call) =>
      call.on?.kind === "list" && !call.on.each ? { ...call.on, items: [...call.on.items].reverse() } : undefined,
  ],
  ["promisify", act.same],
  ["connect", act.connects],
  ["listen", act.listens],
  ["doShellScript", act.shell()],
  ["spawn execFile", act.program()],
  ["execSync", act.shell()],
  // Unique method names, for calls on an unknown object: `import("fs").then((f) => f.rmSync(…))`.
  ["rmSync rmdirSync", act.deletes("option", 0)],
  ["unlinkSync", act.deletes(false, 0)],
  ["writeFileSync appendFileSync mkdirSync truncateSync chmodSync chownSync", act.writes()],
  ["readFileSync", readFile],
  ["renameSync", act.moves],
  ["execFileSync spawnSync", act.program()],
]);

const modules = words(
  "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder sys test timers tls trace_events tty url util v8 vm wasi worker_threads zlib axios got ky undici rimraf",
);

const pure = words(
  `console.* JSON.* Math.* Object.* Array.* Number.* String.* Date.* Symbol.* Promise.* Reflect.ownKeys Reflect.has Intl.* BigInt.* Atomics.* performance.* structuredClone
   Array Object Number String Boolean Date RegExp Map Set WeakMap WeakSet Symbol BigInt Error TypeError RangeError SyntaxError Promise URL URLSearchParams TextEncoder TextDecoder Uint8Array Uint16Array Uint32Array Int8Array Int16Array Int32Array Float32Array Float64Array ArrayBuffer DataView AbortController AbortSignal.* Headers
   parseInt parseFloat isNaN isFinite encodeURIComponent encodeURI decodeURI escape btoa clearTimeout clearInterval queueMicrotask super
   path.* posix.* util.* url.* querystring.* os.* crypto.* assert assert.* buffer.* Buffer.* zlib.* string_decoder.* perf_hooks.* events.* v8.* punycode.* readline.* tty.* timers.* stream.* async_hooks.* diagnostics_channel.* URL.*
   process.exit process.hrtime process.hrtime.bigint hrtime.bigint process.memoryUsage process.uptime process.nextTick process.on process.once process.stdout.* process.stderr.* process.stdin.* process.emitWarning process.cpuUsage process.resourceUsage process.getuid process.geteuid process.getgid process.umask process.abort
   fs.existsSync fs.statSync fs.stat fs.lstatSync fs.lstat fs.accessSync fs.access fs.realpathSync fs.realpath fs.closeSync fs.close fs.fstatSync Deno.exit Deno.stat Deno.statSync Bun.version Bun.sleep Bun.hash module.createRequire module.builtinModules.* module.isBuiltin dns.getServers net.isIP net.isIPv4 net.isIPv6 http.STATUS_CODES.*`,
);

const pureMethods = words(
  `push pop shift unshift slice splice concat map filter reduce reduceRight forEach find findIndex findLast findLastIndex some every includes indexOf lastIndexOf sort toSorted toReversed fill flat flatMap keys values entries at with copyWithin from isArray of
   then catch finally get set has add delete clear size next return throw trimStart trimEnd padStart padEnd repeat charAt charCodeAt codePointAt startsWith endsWith substring substr toUpperCase toLocaleString toLocaleUpperCase toLocaleLowerCase match matchAll search test localeCompare toFixed toPrecision toJSON toISOString toUTCString toDateString toTimeString toLocaleDateString toLocaleTimeString
   getTime getFullYear getMonth getDate getDay getHours getMinutes getSeconds getMilliseconds getTimezoneOffset setDate setMonth setFullYear setHours setMinutes log error warn info debug table json text arrayBuffer blob on once off emit addListener removeListener write end close pipe setEncoding read resume pause digest update isFile isDirectory isSymbolicLink stringify parse encode decode isoString append getAll sort readUInt8 readUInt32LE readUInt32BE readUInt16LE readUInt16BE equals compare subarray byteLength unref ref hasOwn hasOwnProperty isPrototypeOf bigint assign freeze fromEntries getOwnPropertyNames unpipe destroy setTimeout abort`,
);

/** `import fs, { rmSync as rm } from "fs"` and `import * as fs from "fs"`. */
function imports(keyword: string, { tokens, at, names }: Statement): number | undefined {
  if (keyword !== "import" || tokens[at]?.text === "(" || tokens[at]?.text === ".") return undefined;
  const text = (i: number): string => tokens[i]?.text ?? "";
  let end = at;
  while (end < tokens.length && end < at + 256 && tokens[end]?.kind !== "text") end += 1;
  const source = tokens[end]?.pieces.join("") ?? "";
  names.load(source);
  const module = canonical(source);
  for (let i = at; i < end; i++) {
    if (tokens[i]?.kind !== "name" || text(i) === "from" || text(i) === "as" || text(i) === "type") continue;
    const inside = text(i - 1) === "{" || text(i - 1) === ",";
    const braced = inside && tokens.slice(at, i).some((token) => token.text === "{");
    if (text(i - 1) === "as") continue;
    const alias = text(i + 1) === "as" ? text(i + 2) : text(i);
    names.alias(alias, braced && text(i) !== "default" ? `${module}.${text(i)}` : module);
  }
  const star = tokens.findIndex((token, i) => i >= at && i < end && token.text === "*");
  if (star >= 0) names.alias(text(star + 2), module);
  return end + 1;
}

/** JavaScript and TypeScript, in Node and in other runtimes. */
export const node: Language = {
  name: "node",
  lexicon,
  calls,
  folds,
  methods,
  pure,
  pureMethods,
  modules,
  constants: new Map<string, Value>([
    ["process.env.HOME", { kind: "text", text: "~", home: true }],
    ["path.sep", textValue("/")],
  ]),
  argv: [
    ["process.argv", 1],
    ["Bun.argv", 1],
    ["Deno.args", 0],
  ],
  canonical,
  statement: imports,
};

/** JavaScript for automation, as `osascript -l JavaScript` runs it. */
export const automation: Language = { ...node, name: "osascript", modules: new Set() };
