import { type Field, withText } from "../shell/fields.ts";
import { withoutEnd } from "../text/ends.ts";
import { planFind } from "./find.ts";
import { optionList } from "./grammar.ts";
import { reportMode } from "./privileges.ts";
import { type Call, type Program, program, readAll } from "./program.ts";
import { takenWithout } from "./taken.ts";

const recursiveNames = "-r -R --recursive";

function remove(call: Call): void {
  const recursive = call.has("-r");
  for (const operand of call.operands) call.to.delete(operand, recursive);
}

function removeEach(recursive: boolean): (call: Call) => void {
  return (call) => {
    for (const operand of call.operands) call.to.delete(operand, recursive);
  };
}

/** Sources and destination of `cp`, `mv`, `ln` and `install`: `-t dir`, or the last operand. */
function transferred(call: Call): { sources: readonly Field[]; target: Field | undefined } {
  const directory = call.value("--target-directory");
  if (directory) return { sources: call.operands, target: directory };
  if (call.operands.length < 2) return { sources: call.operands, target: undefined };
  return { sources: call.operands.slice(0, -1), target: call.operands.at(-1) };
}

/** Reports the writes when sources go to a target that may be a folder: the target, and the name inside it. */
function writeInto(call: Call, sources: readonly Field[], target: Field, trees: boolean): void {
  const isLinked = call.program.endsWith("cp") && (call.has("-l") || call.has("-s"));
  if (call.program.endsWith("ln") || isLinked) call.to.link(target);
  else call.to.write(target);
  const folder =
    call.value("--target-directory") !== undefined || sources.length > 1 || /(?:^|\/)\.{0,2}$/.test(target.text);
  const isPlace = call.has("--no-target-directory") || (call.program.endsWith("ln") && call.has("-n"));
  if (trees && isPlace) call.to.tree(target, "replaced");
  if (call.has("--no-target-directory")) return;
  for (const from of sources) {
    const bare = withoutEnd(from.text, "/");
    const name = bare.slice(bare.lastIndexOf("/") + 1);
    if (name === "" || name === "." || name === "..") {
      if (trees) call.to.tree(target, "replaced");
      continue;
    }
    const whole = call.has("--parents") && from.kind === "literal" ? bare.replace(/^\/+/, "") : name;
    const inside: Field = {
      ...withText(target, `${target.text.replace(/\/$/, "")}/${whole}`),
      glob: target.glob || from.glob,
      kind: from.kind === "unknown" ? "unknown" : target.kind,
    };
    call.to.writeInside(target, inside, folder, trees);
  }
}

function copy(call: Call): void {
  const { sources, target } = transferred(call);
  const recursive = call.has("-r") || call.has("--archive");
  const takes = recursive ? takenWithout(call) : undefined;
  for (const from of sources) call.to.read(from, { recursive, takes });
  if (target) writeInto(call, sources, target, recursive);
}

function move(call: Call): void {
  const { sources, target } = transferred(call);
  for (const from of sources) {
    call.to.read(from, { recursive: true });
    call.to.delete(from, true);
  }
  if (target) writeInto(call, sources, target, true);
}

function link(call: Call): void {
  const { sources, target } = transferred(call);
  for (const from of sources) call.to.read(from, { metadata: true });
  if (target)
    writeInto(
      call,
      sources,
      target,
      sources.some((from) => call.to.mayBeFolder(from)),
    );
  else for (const from of sources) call.to.write(withText(from, from.text.split("/").at(-1) ?? ""));
}

/** `link a b`: `b` is another name of `a`. */
function linkTwo(call: Call): void {
  const [source, target] = call.operands;
  if (source) call.to.read(source, { metadata: true });
  if (target) call.to.link(target);
}

function install(call: Call): void {
  reportMode(call, call.value("--mode")?.text);
  if (call.has("--directory")) {
    makeFolders(call, true);
    return;
  }
  copy(call);
  const { target } = transferred(call);
  if (target && call.has("-D")) call.to.folders(target);
}

/** Reports that each operand is made as a folder; `above` is true if missing parents are made too. */
function makeFolders(call: Call, above: boolean): void {
  for (const operand of call.operands) {
    call.to.write(operand);
    if (above) call.to.folders(operand);
  }
}

function writeAll(call: Call): void {
  for (const operand of call.operands) if (operand.text !== "-") call.to.write(operand);
}

/** Access lists and attributes of files: `chattr +i file`, `chflags uchg file`, `setfacl -m u:x:r file`. */
function changeAttributes(call: Call): void {
  const [first, ...rest] = call.operands;
  const flags = call.program === "chflags" || /^[-+=][A-Za-z]+$/.test(first?.text ?? "");
  for (const target of flags ? rest : call.operands) {
    call.to.write(target);
    if (call.has("--recursive"))
      call.to.write(
        { ...withText(target, `${target.text.replace(/\/$/, "")}/**`), glob: true },
        target.kind !== "unknown",
      );
  }
}

/** The first operand is a mode or an owner; the rest are changed. */
function changeMode(call: Call): void {
  const reference = call.value("--reference");
  if (reference) call.to.read(reference, { metadata: true });
  // A mode such as `-x` reads like an option and is then no operand.
  const modeIsOption = call.args.options.some(
    (option) => /^-[rwxXstugo]$/.test(option.names[0] ?? "") && option.names.length === 1,
  );
  const targets = reference || (modeIsOption && call.operands.length === 1) ? call.operands : call.operands.slice(1);
  if (call.program === "chmod")
    reportMode(call, call.words.find((word) => !/^-(?:[Rvcf]+|-.*)$/.test(word.text))?.text);
  for (const target of targets) {
    call.to.write(target);
    if (call.has("--recursive"))
      call.to.write(
        { ...withText(target, `${target.text.replace(/\/$/, "")}/**`), glob: true },
        target.kind !== "unknown",
      );
  }
}

function diskDump(call: Call): void {
  for (const word of call.words) {
    if (word.text.startsWith("if=")) call.to.read(withText(word, word.text.slice(3)));
    else if (word.text.startsWith("of=")) call.to.write(withText(word, word.text.slice(3)));
  }
}

function find(call: Call): void {
  const plan = planFind(call.words);
  for (const start of plan.starts) call.to.read(start, { recursive: true, metadata: true });
  for (const file of plan.writes) call.to.write(file);
  if (plan.deletes) for (const path of plan.deleted) call.to.delete(path, !plan.narrowed);
}

function list(recursive: string): (call: Call) => void {
  return (call) => {
    const options = { metadata: true, recursive: recursive === "*" || call.has(recursive) };
    if (call.operands.length === 0)
      call.to.read({ ...call.draft.name, text: ".", kind: "literal", glob: false }, options);
    readAll(call, options);
  };
}

const transferOptions = [
  "-a --archive",
  "-b --backup=?",
  "-d",
  "-f --force",
  "-i --interactive",
  "-l --link",
  "-L --dereference",
  "-n --no-clobber",
  "-P --no-dereference",
  "-p --preserve=?",
  recursiveNames,
  "-s --symbolic-link",
  "-S --suffix=",
  "-t --target-directory=",
  "-T --no-target-directory",
  "-u --update=?",
  "-v --verbose",
  "-x --one-file-system",
  "-Z --context=?",
  "--parents",
  "--remove-destination",
  "--reflink=?",
  "--sparse=",
];
const modeOptions = optionList(`
    -R --recursive; -c --changes; -f --silent --quiet; -v --verbose; -h --no-dereference; -H; -L; -P;
    --reference=; --from=; --preserve-root; --no-preserve-root; --dereference
  `);

/** Programs that work on files. */
export const filePrograms: readonly Program[] = [
  program(
    "rm grm",
    [
      recursiveNames,
      "-f --force",
      "-i",
      "-I",
      "--interactive=?",
      "-d --dir",
      "-v --verbose",
      "--one-file-system",
      "--no-preserve-root",
      "--preserve-root=?",
    ],
    remove,
  ),
  program("rmdir", ["-p --parents", "-v --verbose", "--ignore-fail-on-non-empty"], removeEach(false)),
  program("unlink", [], removeEach(false)),
  program(
    "rimraf del-cli trash trash-put rm-rf rmtrash gio-trash",
    ["-g --glob", "-v --verbose", "-i --interactive", "--preserve-root", "--no-preserve-root"],
    removeEach(true),
  ),
  program("srm", [recursiveNames, "-f", "-v"], remove),
  program("wipe", [recursiveNames, "-f", "-c", "-q", "-Q=", "-s", "-i", "-v"], (call) => {
    writeAll(call);
    remove(call);
  }),
  program(
    "shred gshred",
    optionList(`
    -f --force; -n --iterations=; -s --size=; -u; --remove=?; -v --verbose; -x --exact; -z --zero;
    --random-source=
  `),
    (call) => {
      writeAll(call);
      if (call.has("-u") || call.has("--remove")) removeEach(false)(call);
    },
  ),
  program("truncate", ["-s --size=", "-c --no-create", "-o --io-blocks", "-r --reference="], writeAll),
  program("mv gmv", transferOptions, move),
  program("cp gcp", transferOptions, copy),
  program("link", [], linkTwo),
  program(
    "ln gln",
    [
      ...transferOptions.filter((line) => !line.startsWith("-r") && !line.startsWith("-s")),
      "-s --symbolic",
      "-r --relative",
    ],
    link,
  ),
  program(
    "install ginstall",
    optionList(`
    -b --backup=?; -c; -C --compare; -d --directory; -D; -g --group=; -m --mode=; -o --owner=; -p
    --preserve-timestamps; -s --strip; -S --suffix=; -t --target-directory=; -T --no-target-directory;
    -v --verbose
  `),
    install,
  ),
  program("mkdir", ["-m --mode=", "-p --parents", "-v --verbose", "-Z --context=?"], (call) =>
    makeFolders(call, call.has("--parents")),
  ),
  program("mkfifo mknod", ["-m --mode="], (call) => call.operands[0] && call.to.write(call.operands[0])),
  program("mktemp", ["-d --directory", "-u --dry-run", "-q --quiet", "-p --tmpdir=?", "-t", "--suffix="]),
  program(
    "touch",
    optionList(`
    -a; -c --no-create; -d --date=; -f; -h --no-dereference; -m; -r --reference=; -t=; --time=
  `),
    writeAll,
  ),
  program("tee", ["-a --append", "-i --ignore-interrupts", "-p", "--output-error=?"], writeAll),
  { names: ["dd", "gdd"], grammar: {}, effects: diskDump },
  program("chmod chown chgrp", modeOptions, changeMode),
  program(
    "setfacl chattr chflags",
    ["-R --recursive", "-m --modify=", "-x --remove=", "-b --remove-all", "-M=", "-X="],
    changeAttributes,
  ),
  {
    names: ["find", "gfind"],
    grammar: {
      single: true,
      options: [
        ..."-name -iname -path -ipath -wholename -regex -iregex -type -size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -perm -user -group -maxdepth -mindepth -printf -fstype -links -inum -regextype"
          .split(" ")
          .map((name) => `${name}=`),
        ..."-delete -print -print0 -ls -depth -prune -quit -empty -mount -xdev -follow -executable -readable -writable -daystart".split(
          " ",
        ),
      ],
    },
    effects: find,
  },
  program(
    "ls gls dir vdir exa eza lsd",
    optionList(`
    -R --recursive; -I --ignore=; -w --width=; -T --tabsize=; --color=?; --sort=; --time=;
    --time-style=; --format=; --hide=; --block-size=
  `),
    list("-R"),
  ),
  program(
    "tree",
    optionList(`
    -L=; -I=; -P=; -o=; --filelimit=; --charset=; --sort=?
  `),
    (call) => {
      list("*")(call);
      const file = call.value("-o");
      if (file) call.to.write(file);
    },
  ),
  program(
    "du df",
    optionList(`
    -a --all; -d --max-depth=; -t --threshold=; -B --block-size=; -X --exclude-from=; --exclude=;
    --time=?; -x --one-file-system
  `),
    list("*"),
  ),
  program("stat", ["-f --file-system", "-c --format=", "-t --terse", "-L --dereference", "--printf="], (call) =>
    readAll(call, { metadata: true }),
  ),
  program(
    "fd fdfind",
    optionList(`
    -e --extension=; -t --type=; -d --max-depth=; -E --exclude=; -H --hidden; -I --no-ignore; -x
    --exec=; -X --exec-batch=
  `),
    (call) => {
      for (const operand of call.operands.slice(1)) call.to.read(operand, { recursive: true, metadata: true });
      if (!call.has("--exec") && !call.has("--exec-batch")) return;
      call.to.run(call.value("--exec")?.text ?? call.value("--exec-batch")?.text ?? "");
      call.to.doubt("fd runs a program on what it finds");
    },
  ),
];
