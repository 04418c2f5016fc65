import { withText } from "../shell/fields.ts";
import { type Grammar, given, optionList, readArguments, valueOf } from "./grammar.ts";
import { launcher } from "./launcher.ts";
import { multiplexers } from "./multiplexers.ts";
import type { Wrapper } from "./wrapper.ts";

const nixShell = launcher("nix", "-c --command; --impure; --extra-experimental-features=; -f=; --no-write-lock-file", {
  after: ["develop", "shell"],
  self: true,
  behind: ["-c", "--command"],
});

/** `nix run collection#program -- words`: runs the program that the flake reference names. */
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

const nodeVersion = /^(?:v?\d[\d.]*|lts(?:[/_].*)?|--lts(?:=.*)?|node|stable|latest|current|system|default|iojs.*)$/;

/** `nvm exec 22 program`, `nvm run 22 script`: another Node, whose version need not be said. */
const versioned: Wrapper = {
  names: ["nvm", "n"],
  unwrap(args) {
    const [verb, ...rest] = args.filter((word, i) => word.text !== "--silent" || i > 2);
    if (verb?.text !== "exec" && verb?.text !== "run") return undefined;
    const words = rest[0] && nodeVersion.test(rest[0].text) ? rest.slice(1) : rest;
    if (words.length === 0) return undefined;
    const fields = verb.text === "run" ? [withText(verb, "node"), ...words] : words;
    return { self: false, inner: [{ kind: "words", fields, external: true }] };
  },
};

const daemonGrammar: Grammar = {
  options: optionList(
    "-S --start; -K --stop; -x --exec=; -a --startas=; -p --pidfile=; -u --user=; -c --chuid=; -b --background; -m --make-pidfile; -d --chdir=; -n --name=; -g=; -N=; -s=; -R=; -r=",
  ),
  stop: true,
};

/** `start-stop-daemon --exec program -- words`. */
const startStop: Wrapper = {
  names: ["start-stop-daemon"],
  unwrap(args) {
    const read = readArguments(daemonGrammar, args);
    const program = valueOf(read, "--startas") ?? valueOf(read, "--exec");
    if (!program || given(read, "--stop")) return undefined;
    const words = read.operands[0]?.text === "--" ? read.operands.slice(1) : read.operands;
    return { self: true, inner: [{ kind: "words", fields: [program, ...words], external: true }] };
  },
};

/** `capsh -- -c text`: options after the dashes belong to a shell. Words without options count as the command that they look like. */
const capsh: Wrapper = {
  names: ["capsh"],
  unwrap(args) {
    const at = args.findIndex((word) => /^(?:--|==)$/.test(word.text));
    const [dashes, ...words] = at < 0 ? [] : args.slice(at);
    if (!dashes || words.length === 0) return undefined;
    if (!words[0]?.text.startsWith("-"))
      return { self: false, inner: [{ kind: "words", fields: words, external: true }] };
    const shell = { ...dashes, text: "bash", verbatim: -1 };
    return { self: true, inner: [{ kind: "words", fields: [shell, ...words], external: true }] };
  },
};

/** `ip netns exec name words`, `ip vrf exec name words`. */
const networkSpace: Wrapper = {
  names: ["ip"],
  unwrap(args) {
    const at = args.findIndex((word) => word.text === "exec");
    if (at < 1 || !/^(?:netns|vrf)$/.test(args[at - 1]?.text ?? "")) return undefined;
    const fields = args.slice(at + 2);
    return fields.length > 0 ? { self: true, inner: [{ kind: "words", fields, external: true }] } : undefined;
  },
};

/** Programs that start another: sandboxes, environments, watchers, supervisors. Source: threats page, class 3. */
export const launchers: readonly Wrapper[] = [
  launcher(
    "firejail",
    "--profile=; --name=; --private=?; --net=; --noprofile; --quiet; --whitelist=; --blacklist=; --bind=; -c; --join=",
  ),
  launcher("direnv", "", { after: ["exec"], skip: 1 }),
  // Tools with their versions come before the dashes.
  launcher("mise", "-C --cd=; -q --quiet; -j --jobs=; --command -c=", {
    after: ["exec", "x"],
    inline: ["--command"],
    self: true,
    dashes: "if given",
  }),
  launcher("asdf", "", { after: ["exec"], self: true }),
  launcher("conda mamba micromamba", "-n --name=; -p --prefix=; --cwd=; --no-capture-output; --live-stream; -v", {
    after: ["run"],
    directory: "--cwd",
  }),
  launcher("pyenv rbenv nodenv goenv jenv plenv", "", { after: ["exec"] }),
  launcher("volta", "--node=; --npm=; --yarn=; --bundled-npm", { after: ["run"] }),
  launcher("fnm", "--using=; --silent", { after: ["exec"], skip: 0 }),
  versioned,
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
  launcher("gosu su-exec setuidgid s6-setuidgid", "-u=; -U=; -e=; -m=; -d=; -n=", { skip: 1 }),
  launcher(
    "chpst",
    "-u=; -U=; -e=; -/=; -n=; -l=; -L=; -m=; -d=; -o=; -p=; -f=; -c=; -r=; -t=; -C=; -b=; -v; -P; -0; -1; -2",
  ),
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
  ...multiplexers,
  launcher(
    "xterm uxterm rxvt urxvt st lxterm aterm eterm",
    "-T=; -n=; -fa=; -fs=; -geometry=; -bg=; -fg=; -hold; -class=; -name=",
    {
      behind: ["-e"],
      self: true,
    },
  ),
  launcher(
    "gnome-terminal kgx tilix mate-terminal xfce4-terminal lxterminal terminator konsole alacritty x-terminal-emulator ghostty qterminal",
    "",
    {
      behind: ["--", "-e", "-x", "--execute", "--command"],
      self: true,
    },
  ),
  launcher("foot", "-T --title=; -a --app-id=; -D --working-directory=; -c --config=; -H --hold; -f --font=; -m; -F", {
    self: true,
  }),
  launcher("wezterm", "--cwd=; --class=; --workspace=; --pane-id=; --new-window", { after: ["start"], self: true }),
  launcher("dtach", "-A=; -c=; -n=; -N=; -p=; -a=; -e=; -r=; -E; -z", { self: true, idle: ["-p", "-a"] }),
  launcher("abduco", "-e=; -f; -p; -q; -l; -r", { skip: 1, self: true }),
  launcher("empty", "-f; -i=; -o=; -p=; -L=; -w; -s; -k=?; -t=; -v; -r=; -b=; -S", {
    self: true,
    idle: ["-k", "-s", "-w"],
  }),
  launcher(
    "ttyd gotty",
    "-p --port=; -i --interface=; -c --credential=; -W --writable; -w; -o --once; -t=; -a --address=",
    { self: true },
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
  startStop,
  launcher("daemonize", "-a; -c=; -e=; -E=; -l=; -o=; -p=; -u=; -v"),
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
  capsh,
  networkSpace,
  launcher("cargo", "-x --exec=; -s --shell=; -w --watch=; -i --ignore=; -c --clear; -q --quiet", {
    after: ["watch"],
    inline: ["--shell"],
    self: true,
    dashes: true,
  }),
];
