import * as act from "./actions.ts";
import { type Action, actions, type CodeCall, type Language, type Statement } from "./language.ts";
import { type Lexicon, lineEnds, type Quote, words } from "./lexicon.ts";
import { joined, joinedPath, knownText, listValue, textValue, unknown, type Value } from "./values.ts";

const quotes: readonly Quote[] = ['"""', "'''", '"', "'"].map((mark) => ({ open: mark, close: mark, escapes: "c" }));

const lexicon: Lexicon = {
  lineEnd: lineEnds.feedOrReturn,
  lineComments: ["#"],
  blockComments: [],
  quotes,
  newlines: true,
  regex: false,
  quoting: "python",
  nameStart: /[\p{L}_]/u,
  namePart: /[\p{L}\p{N}_]/u,
  keywords: words(
    "import from def class for in while if elif else return with as try except finally raise pass break continue and or not is lambda yield global nonlocal assert del async await match case",
  ),
  members: new Set(["."]),
  joins: new Set(["+"]),
  adjacent: "texts",
  bareCalls: "never",
  braces: "object",
  pairs: new Set([":", "="]),
};

/** `subprocess` and similar modules: a list gives words, a text with `shell=True` is a shell text. */
const process: Action = (call) => {
  const given = call.args[0] ?? call.named.get("args") ?? unknown;
  const shell = act.truthy(call.named.get("shell"));
  const words = given.kind === "list" && !given.each ? given.items : [given];
  const executable = call.named.get("executable");
  if (shell) call.to.add({ kind: "text", text: words[0] ?? unknown }, call.named.get("cwd") ?? call.to.cwd);
  else act.runsWords(call, executable ? [executable, ...words.slice(1)] : words);
  return undefined;
};

const open: Action = (call) => {
  const path = act.argument(call, 0, "file") ?? unknown;
  if (knownText(path) === "0" || path.kind === "number") return undefined;
  return act.opens()(call);
};

/** A path's own `open`. */
const openMethod: Action = (call) => {
  const given = act.argument(call, 0, "mode");
  act.openedAs(call, call.on ?? unknown, given === undefined ? "r" : knownText(given));
  return undefined;
};

const on =
  (report: (call: CodeCall, path: Value) => void): Action =>
  (call) => {
    report(call, call.on ?? unknown);
    return undefined;
  };

const getattr: Action = (call) => {
  const [of, name] = call.args;
  const member = knownText(name);
  if (of?.kind === "name" && !of.on && member !== undefined) return { kind: "name", name: `${of.name}.${member}` };
  call.to.doubt("it looks up what it calls by a name that is not known");
  return undefined;
};

const module: Action = (call) => {
  const name = knownText(call.args[0]);
  if (name !== undefined) return { kind: "name", name: name.replace(/^posix$|^nt$/, "os") };
  call.to.doubt("it loads a module that is not known");
  return undefined;
};

const renamed: Action = (call) => act.moves({ ...call, args: [call.on ?? unknown, ...call.args] });

const listed: Action = (call) => {
  call.to.read(call.args[0] ?? textValue("."), { metadata: true });
  return listValue([{ kind: "text", text: "*", glob: true }]);
};

/** `os.walk(top)`: under a folder with a full path, its names may be anything below; under others they are not known. */
const walked: Action = (call) => {
  call.to.read(call.args[0] ?? textValue("."), { recursive: true, metadata: true });
  const top = call.args[0];
  if (top?.kind !== "text" || !(top.text.startsWith("/") || top.home)) return undefined;
  return listValue([{ ...joinedPath([top, textValue("**")]), glob: true } as Value]);
};

const globMethod =
  (deep: boolean): Action =>
  (call) => {
    const parts = [call.on ?? unknown, ...(deep ? [textValue("**")] : []), ...call.args];
    const path = joinedPath(parts);
    return path.kind === "text" ? listValue([{ ...path, glob: true }]) : undefined;
  };

const effects = actions([
  [
    "os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput asyncio.create_subprocess_shell",
    act.shell(),
  ],
  ["subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen pty.spawn", process],
  [
    "pexpect.run pexpect.runu pexpect.spawn pexpect.spawnu wexpect.spawn popen_spawn.PopenSpawn ptyprocess.PtyProcess.spawn PtyProcess.spawn ptyprocess.PtyProcessUnicode.spawn",
    (call) => (call.args.length > 1 ? act.program() : act.shellOrWords)(call),
  ],
  ["asyncio.create_subprocess_exec", (call) => void act.runsWords(call, call.args)],
  [
    "os.execv os.execvp os.execve os.execvpe os.execl os.execlp os.execle os.execlpe os.posix_spawn os.posix_spawnp",
    act.wordsFrom(0),
  ],
  ["os.spawnv os.spawnvp os.spawnve os.spawnvpe os.spawnlpe os.spawnl os.spawnlp os.spawnle", act.wordsFrom(1)],
  ["shutil.rmtree distutils.remove_tree dir_util.remove_tree", act.deletes(true, 0)],
  ["os.remove os.unlink os.rmdir os.removedirs", act.deletes(false, 0)],
  ["os.rename os.renames os.replace shutil.move", act.moves],
  ["shutil.unpack_archive", act.unpacks(1, "extract_dir")],
  ["shutil.copy shutil.copy2 shutil.copyfile", act.copies],
  ["shutil.copytree distutils.copy_tree dir_util.copy_tree", act.copiesTree],
  ["os.link os.symlink", act.links],
  [
    "os.mkdir os.makedirs os.chmod os.lchmod os.chown os.lchown os.truncate os.utime os.mkfifo os.mknod shutil.chown",
    act.writes(),
  ],
  ["open io.open codecs.open gzip.open bz2.open lzma.open", open],
  ["os.open", (call) => void act.openedAs(call, call.args[0] ?? unknown, undefined)],
  ["os.listdir os.scandir", listed],
  ["os.walk", walked],
  ["linecache.getline linecache.getlines fileinput.input runpy.run_path tokenize.open", act.reads()],
  ["os.chdir", act.changesFolder],
  ["os.kill os.killpg", act.kills],
  [
    "urllib.urlopen request.urlopen urllib2.urlopen urllib.request.Request request.Request urlopen",
    act.fetches("download"),
  ],
  [
    "request.urlretrieve urllib.urlretrieve",
    (call) => {
      act.fetches("download")(call);
      if (call.args[1]) call.to.write(call.args[1]);
      return undefined;
    },
  ],
  ["requests.get requests.head requests.options httpx.get httpx.head", act.fetches("download")],
  [
    "requests.post requests.put requests.patch requests.delete httpx.post httpx.put httpx.patch httpx.delete",
    act.fetches("upload"),
  ],
  ["requests.request httpx.request", act.fetches("both", 1)],
  [
    "client.HTTPConnection client.HTTPSConnection smtplib.SMTP smtplib.SMTP_SSL ftplib.FTP ftplib.FTP_TLS telnetlib.Telnet poplib.POP3 imaplib.IMAP4_SSL socket.gethostbyname socket.getaddrinfo",
    act.fetches("both"),
  ],
  ["socket.create_connection", act.connects],
  [
    "socketserver.UnixStreamServer socketserver.UnixDatagramServer socketserver.ThreadingUnixStreamServer socketserver.ThreadingUnixDatagramServer asyncio.start_unix_server connection.Listener web.UnixSite",
    act.listens,
  ],
  ["exec eval builtins.exec builtins.eval", act.evaluates],
  [
    "zipfile.ZipFile tarfile.open sqlite3.connect shelve.open dbm.open",
    (call) =>
      void act.openedAs(
        call,
        call.args[0] ?? unknown,
        call.name.includes(".connect") || call.name.includes("shelve")
          ? "r+"
          : (knownText(act.argument(call, 1, "mode")) ?? "r"),
      ),
  ],
  ["pickle.loads pickle.load marshal.loads", act.doubts("it loads pickled data, which may run code")],
]);

const folds = actions([
  ["path.join posixpath.join", act.path],
  ["path.expanduser", (call) => home(call.args[0])],
  [
    "path.abspath path.realpath path.normpath os.fspath os.fsencode os.fsdecode str bytes bytearray urllib.parse.quote shlex.quote",
    act.same,
  ],
  ["pathlib.Path pathlib.PosixPath pathlib.PurePath Path", act.path],
  ["Path.home pathlib.Path.home", () => ({ kind: "text", text: "~", home: true })],
  ["Path.cwd pathlib.Path.cwd os.getcwd", () => textValue(".")],
  ["glob.glob glob.iglob", act.globs],
  ["list tuple sorted reversed set iter", act.same],
  ["chr", act.characters],
  ["compile textwrap.dedent", act.same],
  [
    "shlex.split",
    (call) => {
      const text = knownText(call.args[0]);
      return text === undefined || /["'\\]/.test(text)
        ? undefined
        : listValue(
            text
              .split(/\s+/)
              .filter((word) => word !== "")
              .map(textValue),
          );
    },
  ],
  [
    "base64.b64decode base64.standard_b64decode base64.urlsafe_b64decode binascii.a2b_base64",
    (call) => act.decodesBase64(call.args[0]),
  ],
  ["bytes.fromhex binascii.unhexlify bytearray.fromhex", (call) => act.decodesHex(call.args[0])],
  ["getattr", getattr],
  ["__import__ importlib.import_module import_module", module],
  [
    "os.getenv os.environ.get environ.get",
    (call) => (knownText(call.args[0]) === "HOME" ? { kind: "text", text: "~", home: true } : unknown),
  ],
]);

function home(value: Value | undefined): Value | undefined {
  return value?.kind === "text" && value.text.startsWith("~") ? { ...value, home: true } : value;
}

const methods = actions([
  ["unlink", on((call, path) => call.to.delete(path, false))],
  ["rmdir", on((call, path) => call.to.delete(path, false))],
  ["read_text read_bytes", on((call, path) => call.to.read(path))],
  ["write_text write_bytes touch mkdir chmod symlink_to hardlink_to link_to", on((call, path) => call.to.write(path))],
  ["rename", renamed],
  ["open", openMethod],
  [
    "iterdir",
    (call) => {
      call.to.read(call.on ?? unknown, { metadata: true });
      return globMethod(false)({ ...call, args: [textValue("*")] });
    },
  ],
  ["glob", globMethod(false)],
  ["rglob", globMethod(true)],
  ["joinpath with_name", (call) => joinedPath([call.on ?? unknown, ...call.args])],
  ["expanduser", (call) => home(call.on)],
  ["resolve absolute as_posix decode encode strip lower copy", act.same],
  ["join", act.joins],
  ["format", act.formats],
  ["replace", (call) => (call.args.length > 1 ? act.replaces(call) : renamed(call))],
  ["connect connect_ex", act.connects],
  ["bind create_unix_server", act.listens],
  ["extractall", act.unpacks(0, "path")],
  ["extract", act.doubts("it unpacks files whose names are not known")],
  [
    "split",
    (call) => {
      const text = knownText(call.on);
      return text !== undefined && call.args.length === 0
        ? listValue(
            text
              .split(/\s+/)
              .filter((word) => word !== "")
              .map(textValue),
          )
        : undefined;
    },
  ],
  ["__add__", (call) => joined(call.on ?? unknown, call.args[0] ?? unknown)],
]);

const modules = words(
  "os sys re json math subprocess shutil pathlib glob time datetime random string collections itertools functools operator typing io codecs base64 binascii hashlib hmac struct csv pprint textwrap argparse getopt logging urllib http socket ssl email html xml configparser tempfile platform getpass uuid statistics decimal fractions calendar enum dataclasses contextlib copy shlex fnmatch difflib unicodedata zlib gzip bz2 lzma zipfile tarfile sqlite3 threading multiprocessing concurrent asyncio queue signal errno traceback inspect types abc ast dis keyword token tokenize importlib pkgutil locale gettext secrets heapq bisect array numbers cmath warnings weakref gc builtins __future__ tomllib requests httpx linecache fileinput pickle marshal shelve dbm pwd grp pty ctypes sysconfig site timeit select resource stat ipaddress mimetypes quopri smtplib ftplib poplib imaplib telnetlib posixpath distutils runpy commands zoneinfo graphlib reprlib plistlib curses readline code unittest doctest test turtle this venv ensurepip",
);

const pure = words(
  `print len range int float bool str repr dict frozenset enumerate zip map filter sum min max abs round divmod pow any all isinstance issubclass type id hash ord hex oct bin format slice next iter super object property staticmethod classmethod callable hasattr dir input complex memoryview ascii exit quit help Exception ValueError TypeError KeyError RuntimeError SystemExit IndexError OSError FileNotFoundError AssertionError NotImplementedError StopIteration
   json.* math.* cmath.* re.* time.* datetime.* random.* string.* collections.* itertools.* functools.* operator.* statistics.* decimal.* fractions.* calendar.* hashlib.* hmac.* base64.* binascii.* struct.* csv.* pprint.* textwrap.* platform.* uuid.* enum.* dataclasses.* typing.* copy.* difflib.* unicodedata.* zlib.* html.* secrets.* heapq.* bisect.* sysconfig.* ipaddress.* keyword.* locale.* zoneinfo.* ast.* string.* shlex.* traceback.* warnings.* contextlib.* abc.* types.* getpass.getuser urllib.parse.* parse.quote parse.unquote parse.urlparse parse.urlencode parse.parse_qs tomllib.* argparse.* logging.* inspect.* resource.* errno.* array.* io.StringIO io.BytesIO io.TextIOWrapper email.* configparser.* xml.* threading.* queue.* locale.* timeit.* stat.* mimetypes.* select.* site.* dis.* importlib.metadata.* importlib.util.find_spec util.find_spec numbers.* graphlib.* fnmatch.* pathlib.* this.* gc.* weakref.*
   os.path.* os.getcwd os.getpid os.getppid os.getuid os.geteuid os.getgid os.cpu_count os.uname os.getlogin os.get_terminal_size os.urandom os.strerror os.stat os.access os.getloadavg os.sched_getaffinity os.isatty os.environ.items os.environ.keys os.environ.values os._exit os.umask os.fork os.wait os.pipe os.close
   sys.* shutil.which shutil.disk_usage shutil.get_terminal_size socket.gethostname socket.socket ssl.create_default_context socket.setdefaulttimeout subprocess.list2cmdline`,
);

const pureMethods = words(
  `append extend insert pop remove clear index count sort reverse copy get items keys values update setdefault fromkeys add discard union intersection difference split rsplit splitlines strip lstrip rstrip lower upper title capitalize swapcase startswith endswith find rfind isdigit isalpha isalnum isspace isupper islower zfill ljust rjust center partition rpartition translate maketrans encode decode hex read readline readlines write writelines close flush seek tell fileno getvalue group groups groupdict match search fullmatch findall finditer sub subn span start end most_common elements total isoformat strftime strptime timestamp date time now today utcnow fromtimestamp fromisoformat weekday isoweekday year exists is_file is_dir is_symlink stat lstat relative_to with_suffix as_posix as_uri samefile match is_absolute parts hexdigest digest communicate wait poll json raise_for_status iter_content iter_lines getheader getheaders info geturl getcode popitem bit_length to_bytes from_bytes is_integer conjugate send recv sendall listen accept settimeout shutdown makefile writerow writerows writeheader parse_args add_argument debug info warning error critical exception total_seconds set casefold expandtabs isnumeric isidentifier throw cancel result done submit start is_alive put task_done tobytes tolist cursor fetchall fetchone commit fileno namelist getnames infolist __len__ __repr__ __str__ append popleft appendleft`,
);

/** `import a.b as c, d` and `from a import b as c`. */
function imports(keyword: string, { tokens, at, names }: Statement): number | undefined {
  if (keyword !== "import" && keyword !== "from") return undefined;
  const text = (i: number): string => (tokens[i]?.kind === "newline" ? "" : (tokens[i]?.text ?? ""));
  const dotted = (from: number): readonly [name: string, next: number] => {
    let i = from;
    let name = "";
    while (tokens[i]?.kind === "name" || text(i) === "." || text(i) === "...") {
      if (tokens[i]?.kind === "name" && name !== "" && !name.endsWith(".")) break;
      name += text(i);
      i += 1;
    }
    return [name, i];
  };
  let [name, i] = dotted(at);
  if (keyword === "from") {
    names.load(name);
    if (text(i) !== "import") return i;
    i += 1;
    if (text(i) === "(") i += 1;
    if (text(i) === "*") names.star(name);
    while (tokens[i]?.kind === "name") {
      const alias = text(i + 1) === "as" ? text(i + 2) : text(i);
      names.alias(alias, `${name}.${text(i)}`);
      i += text(i + 1) === "as" ? 3 : 1;
      while (text(i) === "," || (text(i) === "" && tokens[i - 1]?.text === ",")) i += 1;
    }
    return i;
  }
  for (;;) {
    names.load(name);
    if (text(i) === "as") {
      names.alias(text(i + 1), name);
      i += 2;
    }
    if (text(i) !== ",") return i;
    [name, i] = dotted(i + 1);
  }
}

/** Python, 2 and 3. */
export const python: Language = {
  name: "python",
  lexicon,
  calls: effects,
  folds,
  methods,
  pure,
  pureMethods,
  modules,
  constants: new Map<string, Value>([
    ["os.environ.HOME", { kind: "text", text: "~", home: true }],
    ["environ.HOME", { kind: "text", text: "~", home: true }],
    ["os.sep", textValue("/")],
    ["os.curdir", textValue(".")],
  ]),
  argv: [
    ["sys.argv", 1],
    ["argv", 1],
  ],
  canonical: (name) => name.replace(/^(?:builtins|__builtins__)\./, "").replace(/^(?:posix|nt)\./, "os."),
  statement: imports,
};
