import * as act from "./actions.ts";
import { type Action, actions, type CodeCall, type Language } from "./language.ts";
import { type Lexicon, lineEnds, words } from "./lexicon.ts";
import { joinedPath, knownText, listValue, partialText, textValue, unknown, type Value } from "./values.ts";

const lexicon: Lexicon = {
  lineEnd: lineEnds.feed,
  lineComments: ["#"],
  blockComments: [["\n=begin", "\n=end"]],
  quotes: [
    { open: '"', close: '"', escapes: "c", interpolation: "#{" },
    { open: "'", close: "'", escapes: "quote" },
    { open: "`", close: "`", escapes: "c", kind: "run", interpolation: "#{" },
  ],
  newlines: true,
  regex: true,
  quoting: "ruby",
  nameStart: /[\p{L}_$@]/u,
  namePart: /[\p{L}\p{N}_]/u,
  keywords: words(
    "def end class module if elsif else unless while until for in do begin rescue ensure retry raise return next break redo case when then and or not yield self alias undef BEGIN END",
  ),
  members: new Set([".", "::", "&."]),
  joins: new Set(["+"]),
  adjacent: "texts",
  bareCalls: "always",
  hereDocument: /^<<[~-]?["'A-Z_]/,
  braces: "either",
  pairs: new Set([":", "=>"]),
};

/** `open("|cmd")`, `open("file", "w")`, `URI.open(url)`. */
const open: Action = (call) => {
  const path = call.args[0] ?? unknown;
  const text = partialText(path);
  if (text.startsWith("|") && call.name !== "File.open") call.to.add({ kind: "text", text: textValue(text.slice(1)) });
  else act.opens()(call);
  return undefined;
};

const piped: Action = (call) => {
  const args = call.args.filter((arg) => !(arg.kind === "list" && arg.named.size > 0));
  const [first] = args;
  if (first?.kind === "list") act.runsWords(call, first.items);
  else call.to.add({ kind: "text", text: first ?? unknown });
  return undefined;
};

const requires: Action = (call) => {
  const name = knownText(call.args[0]);
  if (name === undefined || !modules.has(name.split("/")[0] as string))
    call.to.doubt(`it loads \`${(name ?? "").slice(0, 60)}\``);
  return undefined;
};

const sent: Action = (call) => {
  const name = knownText(call.args[0]);
  if (name === "system" || name === "exec" || name === "`" || name === "spawn")
    act.shellOrWords({ ...call, args: call.args.slice(1) });
  call.to.doubt("it calls what it names by a text");
  return undefined;
};

const files = (call: { readonly args: readonly Value[] }): readonly Value[] =>
  call.args.flatMap((arg) =>
    arg.kind === "list" && arg.named.size === 0 ? arg.items : arg.kind === "list" ? [] : [arg],
  );

const removes =
  (recursive: boolean): Action =>
  (call) => {
    for (const file of files(call)) call.to.delete(file, recursive);
    return undefined;
  };

const each =
  (report: (call: Parameters<Action>[0], path: Value) => void): Action =>
  (call) => {
    report(call, call.on ?? unknown);
    return undefined;
  };

const modules = words(
  "json yaml csv set date time fileutils pathname open-uri net uri tempfile tmpdir securerandom digest base64 erb optparse pp ostruct bigdecimal benchmark logger stringio strscan shellwords socket openssl open3 English forwardable singleton observer timeout zlib psych rexml etc io find matrix prime abbrev delegate weakref monitor thread bundler/setup",
);

/** Returns a path whose `~` is from here on the home folder. */
function expanded(call: CodeCall): Value | undefined {
  const [path] = call.args;
  return path?.kind === "text" && path.text.startsWith("~") ? { ...path, home: true } : path;
}

/** Ruby. */
export const ruby: Language = {
  name: "ruby",
  lexicon,
  calls: actions([
    [
      "system exec spawn Kernel.system Kernel.exec Kernel.spawn Process.spawn Process.exec PTY.spawn Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen2 Open3.popen3 Open3.popen2e Open3.pipeline",
      act.shellOrWords,
    ],
    ["IO.popen", piped],
    [
      "FileUtils.rm_rf FileUtils.rm_r FileUtils.rmtree FileUtils.remove_dir FileUtils.remove_entry FileUtils.remove_entry_secure FileUtils.rm_rf! rm_rf rm_r",
      removes(true),
    ],
    [
      "FileUtils.rm FileUtils.rm_f FileUtils.remove FileUtils.rmdir FileUtils.safe_unlink File.delete File.unlink Dir.rmdir Dir.delete Dir.unlink",
      removes(false),
    ],
    ["Pathname.rmtree", removes(true)],
    ["FileUtils.mv FileUtils.move File.rename", act.moves],
    ["FileUtils.cp FileUtils.copy FileUtils.copy_file FileUtils.install IO.copy_stream", act.copies],
    ["FileUtils.cp_r FileUtils.copy_entry FileUtils.cp_lr", act.copiesTree],
    ["FileUtils.ln FileUtils.ln_s FileUtils.ln_sf File.symlink File.link", act.links],
    [
      "FileUtils.mkdir FileUtils.mkdir_p FileUtils.makedirs Dir.mkdir FileUtils.touch File.truncate File.write IO.write IO.binwrite File.binwrite",
      act.writes(),
    ],
    ["FileUtils.chmod FileUtils.chmod_R FileUtils.chown File.chmod", act.writesFrom(1)],
    [
      "File.read IO.read File.readlines IO.readlines File.foreach IO.foreach File.binread IO.binread YAML.load_file JSON.load_file CSV.read CSV.foreach load",
      act.reads(),
    ],
    ["open Kernel.open File.open File.new IO.open URI.open", open],
    ["Dir.entries Dir.children Dir.each_child Find.find", act.reads(0, { metadata: true })],
    ["Dir.chdir FileUtils.cd FileUtils.chdir", act.changesFolder],
    ["Process.kill", (call) => void call.to.add({ kind: "kill", target: call.args[1] ?? unknown })],
    [
      "HTTP.get HTTP.get_response HTTP.start HTTP.new Net.HTTP.get URI.read HTTParty.get Faraday.get RestClient.get",
      act.fetches("download"),
    ],
    ["HTTP.post HTTP.post_form HTTParty.post Faraday.post RestClient.post", act.fetches("upload")],
    [
      "UNIXServer.new UNIXServer.open UNIXSocket.new UNIXSocket.open Socket.unix Socket.unix_server_socket Socket.unix_server_loop Socket.sockaddr_un Socket.pack_sockaddr_un Addrinfo.unix",
      act.listens,
    ],
    ["TCPSocket.new TCPSocket.open Socket.tcp UDPSocket.new", act.connects],
    [
      "eval instance_eval class_eval module_eval Kernel.eval binding.eval",
      (call) => {
        if (call.args[0]) call.evaluate(call.args[0]);
        return undefined;
      },
    ],
    ["send public_send __send__ Kernel.send Kernel.public_send Object.send", sent],
    ["require", requires],
    ["require_relative", act.doubts("it loads a file")],
    [
      "Marshal.load YAML.unsafe_load Object.const_get Kernel.const_get syscall",
      act.doubts("it looks up or loads what is not known"),
    ],
  ]),
  folds: actions([
    ["File.join", act.path],
    ["File.expand_path", expanded],
    ["File.realpath URI URI.parse String Shellwords.escape Array", act.same],
    ["Pathname Pathname.new", act.path],
    ["Dir.home", () => ({ kind: "text", text: "~", home: true })],
    ["Dir.pwd Dir.getwd", () => textValue(".")],
    ["Dir.glob", act.globs],
    ["Base64.decode64 Base64.strict_decode64", (call) => act.decodesBase64(call.args[0])],
  ]),
  methods: actions([
    [
      "delete unlink",
      each((call, path) => (path.kind === "text" && call.args.length === 0 ? call.to.delete(path, false) : undefined)),
    ],
    ["rmtree", each((call, path) => call.to.delete(path, true))],
    ["rmdir", each((call, path) => call.to.delete(path, false))],
    ["write binwrite", each((call, path) => (path.kind === "text" ? call.to.write(path) : undefined))],
    ["read readlines binread", each((call, path) => (path.kind === "text" ? call.to.read(path) : undefined))],
    [
      "join",
      (call) =>
        call.on?.kind === "list"
          ? act.joins({ ...call, args: call.args.length > 0 ? call.args : [textValue("")] })
          : joinedPath([call.on ?? unknown, ...call.args]),
    ],
    [
      "reverse",
      (call) => {
        const text = knownText(call.on);
        return text === undefined ? undefined : textValue([...text].reverse().join(""));
      },
    ],
    ["gsub sub", act.replaces],
    ["strip to_s to_path dup freeze downcase chomp itself", act.same],
    [
      "pack",
      (call) => {
        const list = call.on;
        return list?.kind === "list"
          ? knownText(call.args[0])?.startsWith("m")
            ? act.decodesBase64(list.items[0])
            : knownText(call.args[0]) === "H*"
              ? act.decodesHex(list.items[0])
              : undefined
          : undefined;
      },
    ],
    ["unpack1", (call) => (knownText(call.args[0])?.startsWith("m") ? act.decodesBase64(call.on) : undefined)],
    ["send public_send __send__", sent],
    [
      "instance_eval class_eval instance_exec eval",
      (call) => {
        if (call.args[0]) call.evaluate(call.args[0]);
        return undefined;
      },
    ],
    ["const_get method public_method instance_method", act.doubts("it looks up what it calls by a name")],
    [
      "split",
      (call) => {
        const text = knownText(call.on);
        return text !== undefined && call.args.length === 0 ? listValue(text.split(/\s+/).map(textValue)) : undefined;
      },
    ],
  ]),
  pure: words(
    `puts print p pp printf sprintf format putc gets readline readlines chomp rand srand sleep exit abort raise catch throw loop lambda proc block_given? binding caller attr_accessor attr_reader attr_writer private public protected include extend freeze warn at_exit Integer Float Rational Complex Hash nil true false new upto
     JSON.* YAML.load YAML.dump YAML.safe_load Time.* Date.* DateTime.* Math.* Random.* SecureRandom.* Set.* Struct.* Process.pid Process.clock_gettime Process.ppid Comparable.* Enumerator.* Digest.* Base64.* CSV.parse CSV.generate URI.encode_www_form URI.join StringIO.* OpenStruct.* ERB.new RbConfig.* GC.* ObjectSpace.* Gem.* Etc.* Socket.gethostname Benchmark.*
     File.exist? File.exists? File.file? File.directory? File.size File.size? File.mtime File.stat File.basename File.dirname File.extname File.readable? File.writable? File.executable? File.symlink? Dir.exist? Dir.empty? ENV.fetch ENV.key? ENV.to_h Array.new Hash.new String.new Object.new Exception.new Regexp.new Shellwords.split STDIN.* STDOUT.* STDERR.* ARGF.* ARGV.* $stdin.* $stdout.* $stderr.*`,
  ),
  pureMethods: words(
    `each each_with_index each_with_object each_line each_char each_slice each_cons each_pair map flat_map select filter reject reduce inject sum min max min_by max_by sort sort_by group_by partition zip uniq flatten compact first last take drop take_while drop_while include? any? all? none? count size length empty? nil? push pop shift unshift insert concat to_a to_h to_i to_f to_sym to_json to_r to_c inspect keys values key? value? fetch dig merge merge! store delete_if transform_values transform_keys invert times upto downto step upcase capitalize swapcase strip lstrip rstrip split chars bytes lines scan match match? =~ tr start_with? end_with? center ljust rjust index rindex slice succ next ord chr hex oct even? odd? zero? positive? negative? abs round floor ceil divmod gcd lcm is_a? kind_of? respond_to? class methods tap then strftime year month day hour min sec new call getc gets puts print close closed? eof? flush sync rewind now today parse generate pretty_generate hexdigest digest exist? file? directory? basename dirname extname children size? mtime stat parent body code message backtrace full_message join? rotate sample shuffle product combination permutation transpose cycle lazy tally sum find detect find_index each_entry values_at assoc encode force_encoding valid_encoding? unpack squeeze prepend replace clear % * + << == encoding object_id hash frozen? instance_of? to_proc minmax digits bit_length pred nonzero? integer? finite? finite nan? sum entries none one? filter_map`,
  ),
  modules: new Set([...words("JSON YAML FileUtils File Dir IO Kernel Process Net URI ENV Open3 Socket")]),
  constants: new Map<string, Value>([["ENV.HOME", { kind: "text", text: "~", home: true }]]),
  argv: [["ARGV", 0]],
  canonical: (name) => name.replace(/^\.+/, "").replace(/^Net\.HTTP\b/, "HTTP"),
};
