import * as act from "./actions.ts";
import { type Action, actions, type Language, type Statement } from "./language.ts";
import { type Lexicon, lineEnds, words } from "./lexicon.ts";
import { joined, knownText, partialText, textValue, unknown, type Value } from "./values.ts";

const lexicon: Lexicon = {
  lineEnd: lineEnds.feed,
  lineComments: ["#"],
  blockComments: [],
  quotes: [
    { open: '"', close: '"', escapes: "c", interpolation: "perl" },
    { open: "'", close: "'", escapes: "quote" },
    { open: "`", close: "`", escapes: "c", kind: "run", interpolation: "perl" },
  ],
  newlines: false,
  regex: true,
  quoting: "perl",
  nameStart: /[A-Za-z_$@%&]/,
  namePart: /\w/,
  keywords: words(
    "use no package sub if elsif else unless while until for foreach do and or not xor return last next redo eq ne lt gt le ge cmp x BEGIN END given when default",
  ),
  members: new Set(["->", "::"]),
  joins: new Set(["."]),
  adjacent: "none",
  bareCalls: "always",
  hereDocument: /^<<~?["'A-Z_]/,
  braces: "either",
  pairs: new Set(["=>"]),
};

/** `open(F, "<", "file")`, `open(F, ">file")`, `open(F, "cmd|")`, `open(F, "-|", "cmd", …)`. */
const open: Action = (call) => {
  const [, mode, file, ...rest] = call.args;
  const text = partialText(mode);
  if (file === undefined) {
    const told = text.slice(0, 4096).trim();
    const how = /^\+?[<>|]{0,2}/.exec(told)?.[0] ?? "";
    const named = told.slice(how.length).trimStart();
    const isPiped = named.endsWith("|");
    const path = textValue(isPiped ? named.slice(0, -1).trimEnd() : named);
    if (isPiped || how.startsWith("|")) call.to.add({ kind: "text", text: path });
    else act.openedAs(call, path, /[>+]/.test(how) ? "w" : "r");
    return undefined;
  }
  if (text.includes("|")) {
    if (rest.length > 0) act.runsWords(call, [file, ...rest]);
    else call.to.add({ kind: "text", text: file });
  } else if (file.kind !== "name")
    act.openedAs(call, file, knownText(mode) === undefined ? undefined : /[>+]/.test(text) ? "w" : "r");
  return undefined;
};

const deletes: Action = (call) => {
  if (call.args.length === 0) call.to.delete(unknown, false);
  return act.deletes(false)(call);
};

/** Evaluates a text; a block has been visited already. */
const evaluates: Action = (call) => {
  const [first] = call.args;
  if (first) call.evaluate(first);
  return undefined;
};

const joins: Action = (call) => {
  const [separator = unknown, ...items] = call.args.flatMap((arg) =>
    arg.kind === "list" && !arg.each ? arg.items : [arg],
  );
  return items.reduce<Value | undefined>((all, item) => (all ? joined(joined(all, separator), item) : item), undefined);
};

const requires: Action = (call) => {
  const [first] = call.args;
  if (first?.kind === "text") {
    call.to.read(first);
    call.to.doubt("it loads a file");
  }
  return undefined;
};

const fetchMethod: Action = (call) => {
  const text = partialText(call.args[0]);
  if (/^[a-z]+:\/\//i.test(text))
    call.to.network(call.args[0] as Value, call.name === "get" || call.name === "head" ? "download" : "upload");
  return undefined;
};

/** `use Module qw(names)` and `no strict`. */
function uses(keyword: string, { tokens, at, names }: Statement): number | undefined {
  if (keyword !== "use") return undefined;
  let i = at;
  let name = "";
  while (tokens[i]?.kind === "name" || tokens[i]?.text === "::") {
    name += tokens[i]?.text === "::" ? "." : tokens[i]?.text;
    i += 1;
  }
  if (name !== "") names.load(name);
  names.star(name);
  return i;
}

/** Perl 5. */
export const perl: Language = {
  name: "perl",
  lexicon,
  calls: actions([
    ["system exec CORE.system CORE.exec IPC.System.Simple.system", act.shellOrWords],
    ["readpipe CORE.readpipe", act.shell()],
    [
      "IPC.Open3.open3 IPC.Open2.open2 open3 open2",
      (call) => void act.shellOrWords({ ...call, args: call.args.slice(call.name.endsWith("3") ? 3 : 2) }),
    ],
    ["unlink CORE.unlink rmdir", deletes],
    ["rmtree remove_tree File.Path.rmtree File.Path.remove_tree Path.rmtree Path.remove_tree", act.deletes(true)],
    ["rename move File.Copy.move Copy.move mv", act.moves],
    ["copy File.Copy.copy Copy.copy cp", act.copies],
    ["dircopy rcopy File.Copy.Recursive.dircopy File.Copy.Recursive.rcopy", act.copiesTree],
    ["link symlink", act.links],
    ["mkdir mkpath make_path truncate", act.writes()],
    ["chmod", act.writesFrom(1)],
    ["chown utime", act.writesFrom(2)],
    ["open CORE.open sysopen", open],
    ["opendir", act.reads(1, { metadata: true })],
    ["kill", (call) => void call.to.add({ kind: "kill", target: call.args[1] ?? unknown })],
    ["chdir", act.changesFolder],
    ["get getprint LWP.Simple.get Simple.get Simple.getprint head", act.fetches("download")],
    [
      "getstore mirror Simple.getstore",
      (call) => {
        act.fetches("download")(call);
        call.to.write(call.args[1] ?? unknown);
        return undefined;
      },
    ],
    [
      "INET.new IO.Socket.INET.new",
      (call) => void call.to.network(call.named.get("PeerAddr") ?? call.named.get("PeerHost") ?? unknown, "both"),
    ],
    [
      "UNIX.new IO.Socket.UNIX.new sockaddr_un pack_sockaddr_un Socket.sockaddr_un Socket.pack_sockaddr_un",
      act.listens,
    ],
    ["connect", (call) => void call.to.network(unknown, "both", false)],
    ["eval evalbytes", evaluates],
    ["require do CORE.require", requires],
    ["syscall dump", act.doubts("it calls the system directly")],
  ]),
  folds: actions([
    ["join", joins],
    [
      "glob",
      (call) => {
        const value = call.args[0];
        return value?.kind === "text" ? { ...value, glob: true } : undefined;
      },
    ],
    ["chr", act.characters],
    ["decode_base64 MIME.Base64.decode_base64", (call) => act.decodesBase64(call.args[0])],
    ["pack", (call) => (knownText(call.args[0]) === "H*" ? act.decodesHex(call.args[1]) : undefined)],
    ["catfile catdir", act.path],
    ["lc quotemeta scalar", act.same],
    [
      "reverse",
      (call) => {
        const text = knownText(call.args[0]);
        return text === undefined ? undefined : textValue([...text].reverse().join(""));
      },
    ],
  ]),
  methods: actions([
    ["get post put delete request head", fetchMethod],
    [
      "open",
      (call) =>
        void act.openedAs(
          call,
          call.args[0] ?? unknown,
          call.args[1] === undefined ? "r" : /[w>a+]/.test(partialText(call.args[1])) ? "w" : "r",
        ),
    ],
    ["spew append touch", (call) => void call.to.write(call.on ?? unknown)],
    ["slurp lines", (call) => void call.to.read(call.on ?? unknown)],
    ["remove_tree", (call) => void call.to.delete(call.on ?? unknown, true)],
  ]),
  pure: words(
    `print printf say sprintf join split push pop shift unshift splice reverse sort map grep keys values each exists defined delete undef wantarray ref bless scalar length substr index rindex uc lc ucfirst lcfirst chomp chop chr ord hex oct abs int sqrt sin cos atan2 exp log rand srand time localtime gmtime sleep die warn exit close binmode eof seek tell read readline pos quotemeta pack unpack vec study lstat stat local my our x qw prototype caller select fileno sysread syswrite readdir closedir rewinddir getc wait waitpid alarm times getpwuid getpwnam getppid umask tie untie tied formline lock reset
     max min sum sum0 first any all none uniq shuffle reduce floor ceil strftime encode_json decode_json to_json from_json Dumper encode decode md5_hex sha1_hex sha256_hex encode_base64 dirname basename fileparse cwd getcwd croak confess carp dclone looks_like_number blessed reftype
     STDIN STDOUT STDERR new JSON.* Data.* List.* POSIX.* Scalar.* Time.* Digest.* Encode.* Math.* Text.* MIME.* Storable.dclone File.Spec.* File.Basename.* Cwd.*`,
  ),
  pureMethods: words(
    "new encode decode print printf say close autoflush pretty utf8 canonical allow_nonref content code is_success status_line decoded_content agent timeout env_proxy header push_header getline getlines binmode eof hexdigest add addfile b64digest digest year month day hour ymd hms strftime epoch name stringify basename parent child import",
  ),
  modules: words(
    "strict warnings utf8 feature vars lib integer bigint bignum constant parent base JSON Data List POSIX Scalar Time Digest Encode Math Text MIME Storable File Cwd IO LWP HTTP IPC Getopt Carp Socket Sys Term Tie Unicode URI Config Env Errno Fcntl FindBin Benchmark B Hash open experimental autodie locale overload re sort bytes diagnostics v5 v5.10 v5.36",
  ),
  constants: new Map<string, Value>([
    ["ENV.HOME", { kind: "text", text: "~", home: true }],
    ["$0", textValue("-e")],
  ]),
  argv: [
    ["$ARGV", 0],
    ["@ARGV", 0],
  ],
  canonical: (name) =>
    name
      .replace(/::/g, ".")
      .replace(/^&/, "")
      .replace(/^CORE\.GLOBAL\./, ""),
  statement: uses,
};
