import { type Field, withText } from "../shell/fields.ts";
import {
  composeGrammar,
  composeRunGrammar,
  containerEngines,
  engineGlobals,
  execGrammar,
  runGrammar,
} from "./container-grammar.ts";
import { type Arguments, type Grammar, optionList, readArguments, valueOf, valuesOf } from "./grammar.ts";
import { type Mount, mountsOf, onHost } from "./mounts.ts";
import type { Inner, Unwrapped, Wrapper } from "./wrapper.ts";

/** Returns a command that runs in a container. It may not touch this machine: paths stay as given, mounted ones become the host's. */
function contained(
  words: readonly Field[],
  mounts: readonly Mount[],
  workdir: Field | undefined,
): Unwrapped | undefined {
  const [first] = words;
  if (!first || first.text.startsWith("-")) return undefined;
  const inner: Inner = {
    kind: "words",
    fields: words.map((word) => onHost(word, mounts)),
    cwd: workdir ? onHost(workdir, mounts) : "",
    certain: false,
    external: true,
  };
  return { self: true, inner: [inner] };
}

/** `image command…` of `run`; an entry point comes before the words. */
function running(args: Arguments): Unwrapped | undefined {
  const entry = valueOf(args, "--entrypoint");
  const words = [...(entry && entry.text !== "" ? [entry] : []), ...args.operands.slice(1)];
  return contained(words, mountsOf(args), valueOf(args, "--workdir"));
}

function executing(args: Arguments): Unwrapped | undefined {
  return contained(args.operands.slice(1), [], valueOf(args, "--workdir"));
}

function compose(words: readonly Field[]): Unwrapped | undefined {
  const [verb, ...rest] = readArguments(composeGrammar, words).operands;
  if (verb?.text !== "exec" && verb?.text !== "run") return undefined;
  const args = readArguments(composeRunGrammar, rest);
  return verb.text === "run" ? running(args) : executing(args);
}

/** `docker run`, `exec` and `compose run`, `compose exec`, also behind `container`. */
const engines: Wrapper = {
  names: containerEngines,
  unwrap(args) {
    const [verb, ...rest] = readArguments(engineGlobals, args).operands;
    const [word, words] = verb?.text === "container" ? [rest[0], rest.slice(1)] : [verb, rest];
    if (word?.text === "run" || word?.text === "create") return running(readArguments(runGrammar, words));
    if (word?.text === "exec") return executing(readArguments(execGrammar, words));
    return word?.text === "compose" ? compose(words) : undefined;
  },
};

const composer: Wrapper = {
  names: ["docker-compose", "podman-compose"],
  unwrap: (args) => compose(args),
};

const kubectlGrammar: Grammar = {
  options: optionList(`
    -n --namespace=; --context=; --kubeconfig=; --cluster=; --user=; -s --server=; --token=; -c --container=;
    -i --stdin; -t --tty; -it; -q --quiet; --image=; --pod-running-timeout=; -f --filename=; --restart=; -l --labels=;
    --env=; --profile=; --target=; --as=; --request-timeout=; --rm; --command; --attach; --overrides=; --copy-to=
  `),
};

/** `kubectl exec pod -- command`, `run` and `debug`; without `--` the command comes behind the pod. */
const kubectl: Wrapper = {
  names: ["kubectl", "oc", "crictl"],
  unwrap(args) {
    const cut = args.findIndex((word) => word.text === "--");
    const { operands } = readArguments(kubectlGrammar, cut < 0 ? args : args.slice(0, cut));
    const verb = operands[0]?.text ?? "";
    if (!["exec", "run", "debug", "rsh"].includes(verb)) return undefined;
    const words = cut >= 0 ? args.slice(cut + 1) : verb === "exec" || verb === "rsh" ? afterPod(args, operands) : [];
    return contained(words, [], undefined);
  },
};

/** Returns the words from the first operand after the pod on, with the options of the command. */
function afterPod(args: readonly Field[], operands: readonly Field[]): readonly Field[] {
  const first = operands[2];
  return first ? args.slice(args.indexOf(first)) : [];
}

/** Makes the wrapper of a tool that runs words in another machine or container: `<skip> words… [--] command`. */
function elsewhere(
  names: string,
  options: readonly string[],
  how: {
    readonly after?: readonly string[];
    readonly skip?: number;
    readonly workdir?: string;
    readonly dashes?: boolean;
  },
): Wrapper {
  const grammar: Grammar = { options, stop: true };
  return {
    names: names.split(" "),
    unwrap(args) {
      let read = readArguments(grammar, args);
      if (how.after) {
        if (!how.after.includes(read.operands[0]?.text ?? "")) return undefined;
        read = readArguments(grammar, read.operands.slice(1));
      }
      const cut = read.operands.findIndex((word) => word.text === "--");
      if (cut < 0 && how.dashes) return undefined;
      const behind = cut >= 0 ? read.operands.slice(cut + 1) : read.operands.slice(how.skip ?? 0);
      const [first] = behind;
      const words = first?.text.startsWith("-") ? readArguments(grammar, behind).operands : behind;
      return contained(words, [], how.workdir === undefined ? undefined : valueOf(read, how.workdir));
    },
  };
}

const flatpakGrammar: Grammar = {
  options: optionList(`
    --command=; --branch=; --arch=; --env=; --filesystem=; --cwd=; --runtime=; --user; --system; --devel
  `),
  stop: true,
};

/** `flatpak run app`: only a command given by `--command` has a name here. */
const flatpak: Wrapper = {
  names: ["flatpak"],
  unwrap(args) {
    if (args[0]?.text !== "run") return undefined;
    const read = readArguments(flatpakGrammar, args.slice(1));
    const command = valueOf(read, "--command");
    return command && contained([command, ...read.operands.slice(1)], [], valueOf(read, "--cwd"));
  },
};

const wslGrammar: Grammar = {
  options: optionList("-d --distribution=; -u --user=; -e --exec; --cd=; --shell-type=; -l --list; -t=; --system"),
  stop: true,
};

/** `wsl command…`: the Linux side of this machine. */
const wsl: Wrapper = {
  names: ["wsl"],
  unwrap(args) {
    const read = readArguments(wslGrammar, args);
    return contained(read.operands, [], valueOf(read, "--cd"));
  },
};

const bindOptions = ["--bind", "--ro-bind", "--dev-bind", "--bind-try", "--ro-bind-try", "--dev-bind-try", "--symlink"];

const bubblewrapGrammar: Grammar = {
  options: [
    ...bindOptions.map((name) => `${name}==`),
    ...optionList(`
    --setenv==; --unsetenv=; --dev=; --proc=; --tmpfs=; --dir=; --mqueue=; --chdir=; --uid=; --gid=; --hostname=; --file==;
    --seccomp=; --args=; --lock-file=; --sync-fd=; --exec-label=; --cap-add=; --cap-drop=; --argv0=; --perms=; --chmod==
  `),
  ],
  stop: true,
  exact: true,
};

/** `bwrap`: the paths of its binds are those of this machine, and what it runs is certain to run here. */
const bubblewrap: Wrapper = {
  names: ["bwrap"],
  unwrap(args) {
    const mounts = args.flatMap((word, i): Mount[] => {
      const [source, target] = [args[i + 1], args[i + 2]];
      if (!bindOptions.includes(word.text) || !source || !target) return [];
      return [{ source, target: target.text, readonly: word.text.startsWith("--ro") }];
    });
    const read = readArguments(bubblewrapGrammar, args);
    const [chdir] = valuesOf(read, "--chdir");
    if (read.operands.length === 0) return undefined;
    const fields = read.operands.map((word) => onHost(word, mounts));
    const cwd = chdir && onHost(chdir, mounts);
    return { self: false, inner: [{ kind: "words", fields, external: true, ...(cwd ? { cwd } : {}) }] };
  },
};

const spawnGrammar: Grammar = {
  options: optionList("--host; --directory=; --env=; --clear-env; -pty; --no-pty"),
  stop: true,
};

/** `flatpak-spawn --host cmd` and similar commands leave their container. */
const spawn: Wrapper = {
  names: ["flatpak-spawn", "distrobox-host-exec", "host-spawn"],
  unwrap(args) {
    const read = readArguments(spawnGrammar, args);
    const directory = valueOf(read, "--directory");
    if (read.operands.length === 0) return undefined;
    return {
      self: false,
      inner: [
        {
          kind: "words",
          fields: read.operands,
          external: true,
          ...(directory ? { cwd: withText(directory, directory.text) } : {}),
        },
      ],
    };
  },
};

/** Wrappers whose command runs in a container, a cluster, or a machine of this host. */
export const containerWrappers: readonly Wrapper[] = [
  engines,
  composer,
  kubectl,
  flatpak,
  wsl,
  bubblewrap,
  spawn,
  elsewhere("lxc incus", ["--cwd=", "--env=", "--user=", "--group=", "--mode=", "-t", "-T", "-n"], {
    after: ["exec"],
    skip: 1,
    workdir: "--cwd",
  }),
  elsewhere(
    "multipass limactl toolbox distrobox",
    optionList("-d --working-directory=; --workdir=; -c --container=; -n --name=; -e"),
    {
      after: ["exec", "shell", "run", "enter"],
      skip: 1,
      workdir: "--working-directory",
    },
  ),
  elsewhere("lima", ["--workdir=", "--shell="], { workdir: "--workdir" }),
  elsewhere("colima orb", ["-p --profile=", "-m --machine="], { after: ["ssh", "run"] }),
  elsewhere("devcontainer", ["--workspace-folder=", "--container-id=", "--config=", "--remote-env="], {
    after: ["exec"],
  }),
  elsewhere(
    "systemd-nspawn",
    optionList(
      "-D --directory=; -M --machine=; -u --user=; --chdir=; -b --boot; --bind=; --bind-ro=; -i --image=; -E --setenv=; -q --quiet",
    ),
    {
      workdir: "--chdir",
    },
  ),
];
