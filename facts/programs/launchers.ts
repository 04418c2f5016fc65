import type { Field } from "../shell/fields.ts";
import { type Grammar, given, optionList, readArguments, valueOf, valuesOf } from "./grammar.ts";
import { joined } from "./runners.ts";
import type { Inner, Wrapper } from "./wrapper.ts";

/** How a launcher finds the command among its words. */
interface Launch {
  /** Words that must come first, one of them (`run`, `exec`). */
  readonly after?: readonly string[];
  /** Operands before the command. */
  readonly skip?: number;
  /** The command stands behind `--` only. */
  readonly dashes?: boolean;
  /** The command stands behind one of these words only. */
  readonly behind?: readonly string[];
  /** The word of `after` is the program itself. */
  readonly keep?: boolean;
  /** The words are one shell text, not a command's words. */
  readonly text?: boolean;
  /** Every operand is a shell text of its own. */
  readonly texts?: boolean;
  /** Options whose values are shell texts that run besides or instead. */
  readonly inline?: readonly string[];
  /** Option that names the working directory. */
  readonly directory?: string;
  /** Options under which nothing is run. */
  readonly idle?: readonly string[];
  /** The launcher does something of its own besides. */
  readonly self?: boolean;
}

function launcher(names: string, options: string, how: Launch = {}): Wrapper {
  const grammar: Grammar = { options: optionList(options), stop: true };
  return {
    names: names.split(" "),
    unwrap(args) {
      let read = readArguments(grammar, args);
      const before = how.after ? read.options : [];
      if (how.after) {
        if (!how.after.includes(read.operands[0]?.text ?? "")) return undefined;
        const word = read.operands[0] as Field;
        read = readArguments(grammar, read.operands.slice(1));
        if (how.keep) read = { ...read, operands: [word, ...read.operands.filter((one) => one.text !== "--")] };
      }
      if (how.idle?.some((name) => given(read, name))) return undefined;
      const all = { ...read, options: [...before, ...read.options] };
      const inline = (how.inline ?? []).flatMap((name) => valuesOf(all, name));
      const directory = how.directory === undefined ? undefined : valueOf(all, how.directory);
      const inner = [
        ...inline.map((text): Inner => ({ kind: "text", text })),
        ...commands(read.operands, args, how, directory),
      ];
      return inner.length > 0 ? { self: how.self === true, inner } : undefined;
    },
  };
}

function commands(
  operands: readonly Field[],
  args: readonly Field[],
  how: Launch,
  directory: Field | undefined,
): Inner[] {
  const marks = how.dashes ? ["--"] : how.behind;
  const cut = marks ? args.findIndex((word) => marks.includes(word.text)) : -1;
  if (marks && cut < 0) return [];
  const behind = marks ? args.slice(cut + 1) : operands.slice(how.skip ?? 0);
  const words = behind[0]?.text === "--" ? behind.slice(1) : behind;
  if (words.length === 0) return [];
  if (how.texts) return words.map((text): Inner => ({ kind: "text", text }));
  if (how.text) return [{ kind: "text", text: joined(words) }];
  return [{ kind: "words", fields: words, external: true, ...(directory ? { cwd: directory } : {}) }];
}

const nixShell = launcher("nix", "-c --command; --impure; --extra-experimental-features=; -f=; --no-write-lock-file", {
  after: ["develop", "shell"],
  self: true,
  behind: ["-c", "--command"],
});

/** `nix run collection#program -- words`: what a flake names is that program. */
const nix: Wrapper = {
  names: nixShell.names,
  unwrap(args, input) {
    const at = args.findIndex((word) => word.text === "run");
    const dashes = args.findIndex((word) => word.text === "--");
    const name = at < 0 ? undefined : args.slice(at + 1).find((word) => !word.text.startsWith("-"));
    const program = name && /#([\w.-]+)$/.exec(name.text)?.[1]?.split(".").at(-1);
    if (!name || !program || dashes < 0) return nixShell.unwrap(args, input);
    const fields = [{ ...name, text: program, verbatim: -1 }, ...args.slice(dashes + 1)];
    return { self: true, inner: [{ kind: "words", fields, external: true }] };
  },
};

/** Programs that start another: sandboxes, environments, watchers, supervisors. Source: threats page, class 3. */
export const launchers: readonly Wrapper[] = [
  launcher(
    "firejail",
    "--profile=; --name=; --private=?; --net=; --noprofile; --quiet; --whitelist=; --blacklist=; --bind=; -c; --join=",
  ),
  launcher("direnv", "", { after: ["exec"], skip: 1 }),
  launcher("mise asdf", "-C --cd=; -q --quiet; -j --jobs=; --command -c=", {
    after: ["exec", "x"],
    inline: ["--command"],
    self: true,
  }),
  launcher("conda mamba micromamba", "-n --name=; -p --prefix=; --cwd=; --no-capture-output; --live-stream; -v", {
    after: ["run"],
    directory: "--cwd",
  }),
  launcher("pyenv rbenv nodenv goenv jenv plenv", "", { after: ["exec"] }),
  launcher("volta", "--node=; --npm=; --yarn=; --bundled-npm", { after: ["run"] }),
  launcher("fnm nvm", "--using=; --silent", { after: ["exec"], skip: 0 }),
  launcher("proxychains proxychains4 torsocks torify tsocks proxychains-ng", "-q; -f=; -i; -a=; -P="),
  launcher("sshpass", "-p=; -f=; -d=; -e; -P=; -v; -h; -V"),
  launcher("ssh-agent", "-a=; -c; -D; -d; -k; -s; -t=; -E=; -P=; -O=", { idle: ["-k"] }),
  launcher("rlwrap winpty", "-a=?; -c; -C=; -f=; -H=; -p=?; -r; -A; -s=; -X"),
  launcher(
    "hyperfine",
    "-w --warmup=; -r --runs=; -m --min-runs=; -M --max-runs=; -p --prepare=; -c --cleanup=; -s --setup=; -n --command-name=; -i --ignore-failure; -N; -S --shell=; --export-json=; --export-markdown=; --export-csv=; -L --parameter-list==; -u --time-unit=",
    {
      texts: true,
      inline: ["--prepare", "--cleanup", "--setup"],
    },
  ),
  launcher("perf", "-e=; -o=; -F=; -g; -a; -r=; -d; -p=; -c=; --call-graph=", {
    after: ["stat", "record", "trace"],
    idle: ["-p"],
  }),
  launcher(
    "run0",
    "-u --user=; -g --group=; -D --chdir=; --nice=; --unit=; --property=; --description=; --slice=; --slice-inherit; --setenv=; --background=; -M --machine=; --pty; --pipe; --no-ask-password",
    { directory: "--chdir" },
  ),
  launcher("gosu su-exec setuidgid s6-setuidgid chpst", "-u=; -U=; -e=; -m=; -d=; -n=", { skip: 1 }),
  launcher("tini dumb-init catatonit", "-s; -v; -g; -e=; -p=; -r=; -c; -w; -h"),
  launcher(
    "nodemon",
    "-x --exec=; -w --watch=; -e --ext=; -i --ignore=; -d --delay=; -q --quiet; -V --verbose; --signal=",
    { inline: ["--exec"], self: true, texts: false, dashes: true },
  ),
  launcher(
    "concurrently",
    "-n --names=; -c --prefix-colors=; -p --prefix=; -k --kill-others; -s --success=; -m --max-processes=; --raw; -r; -g --group; -h",
    { texts: true },
  ),
  launcher(
    "watchexec",
    "-e --exts=; -w --watch=; -i --ignore=; -r --restart; -c --clear=?; -s --signal=; -d --debounce=; -n; --shell=; -o=; -p --postpone; -q",
    { text: true },
  ),
  launcher("onchange", "-c --command=; -i --initial; -d --debounce=; -t --throttle=; --silent; -v; -k", {
    inline: ["--command"],
    dashes: true,
  }),
  launcher(
    "screen",
    "-S=; -c=; -e=; -h=; -p=; -s=; -t=; -T=; -d; -D; -m; -A; -a; -L; -O; -q; -U; -r; -R; -x; -X; -ls; -list; -wipe",
    {
      self: true,
      idle: ["-r", "-R", "-x", "-X"],
    },
  ),
  launcher("systemd-cat", "-t --identifier=; -p --priority="),
  launcher("nix-shell", "-p --packages=; --run=; --command=; --pure; -i=; -I=; -A --attr=", {
    inline: ["--run", "--command"],
    self: true,
    dashes: true,
  }),
  nix,
  launcher("guix", "--pure; -C --container; -m --manifest=", { after: ["shell", "environment"], dashes: true }),
  launcher(
    "doppler op infisical railway vercel netlify teller chamber aws-vault dotenvx",
    "--env=; -p --project=; -c --config=; --token=; --env-file=; -f=; -e=; --account=; --no-masking; -d --duration=; -n --no-session; -s",
    {
      after: ["run", "exec", "dev:exec"],
      dashes: true,
    },
  ),
  launcher("schroot", "-c --chroot=; -u --user=; -d --directory=; -p; -r; -s", {
    dashes: true,
    directory: "--directory",
  }),
  launcher("arch-chroot", "-u=; -N; -r", { skip: 1 }),
  launcher("proot fakechroot", "-r --rootfs=; -b --bind=; -w --cwd=; -0 --root-id; -q --qemu=; -S="),
  launcher(
    "start-stop-daemon",
    "-S --start; -K --stop; -x --exec=; -a --startas=; -p --pidfile=; -u --user=; -c --chuid=; -b --background; -m --make-pidfile; -d --chdir=; -n --name=",
    { inline: ["--exec", "--startas"], self: true, dashes: true },
  ),
  launcher("daemonize", "-a; -c=; -e=; -E=; -l=; -o=; -p=; -u=; -v"),
  launcher("tmux", "-L=; -S=; -f=; -c=; -2; -u; -v; -d; -s=; -n=; -t=; -e=; -x=; -y=; -b; -h; -A; -P; -F=", {
    self: true,
    after: [
      "new-session",
      "new",
      "new-window",
      "neww",
      "split-window",
      "splitw",
      "run-shell",
      "run",
      "respawn-pane",
      "popup",
      "display-popup",
      "send-keys",
      "send",
    ],
    text: true,
  }),
  launcher("cargo-watch", "-x --exec=; -s --shell=; -w --watch=; -i --ignore=; -c --clear; -q --quiet", {
    inline: ["--shell"],
    self: true,
    dashes: true,
  }),
  launcher("k3s microk8s minikube", "-p --profile=", { after: ["kubectl"], keep: true }),
  launcher("qemu-x86_64 qemu-aarch64 qemu-arm wine box64 rosetta", "-L=; -E=; -cpu=; -g="),
  launcher("sem", "-j --jobs=; --id=; --fg; --bg; --timeout=", { text: true }),
  launcher("chronic ifne", "-v; -e; -n"),
  launcher("envdir envuidgid setlock", "-n; -x; -N; -X", { skip: 1 }),
  launcher("gdbserver", "--once; --multi", { skip: 1 }),
  launcher("dbus-launch", "--exit-with-session; --sh-syntax; --csh-syntax"),
  launcher("choom", "-n --adjust=; -p --pid=", { idle: ["--pid"] }),
  launcher(
    "numactl",
    "-N --cpunodebind=; -m --membind=; -C --physcpubind=; -i --interleave=; -l --localalloc; -H --hardware; -s --show",
    { idle: ["--hardware", "--show"] },
  ),
  launcher("cgexec", "-g=; --sticky"),
  launcher("capsh", "--drop=; --caps=; --user=; --uid=; --gid=; --print; --chroot=", { dashes: true }),
];
