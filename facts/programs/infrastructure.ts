import { type Field, literalField, textOfField, withText } from "../shell/fields.ts";
import { soundsSecret } from "../shell/secret-names.ts";
import { optionList } from "./grammar.ts";
import { operate, verbKind } from "./operations.ts";
import { installOne } from "./package-sources.ts";
import { type Call, type Effects, type Program, type Subcommand, subcommand } from "./program.ts";
import { spelled } from "./spelled.ts";
import { infrastructureSources, programSources } from "./taken.ts";

const here = (call: Call): Field => literalField(".", call.draft.place);

const terraformOptions = optionList(`
    -chdir=; -var=; -var-file=; -target=; -replace=; -out=; -state=; -state-out=; -backup=; -backend-config=; -lock=;
    -lock-timeout=; -from-module=; -parallelism=; -input=; -refresh=; -plugin-dir=; -generate-config-out=; -lockfile=; -or-create=;
    -auto-approve; -destroy; -force; -json; -no-color; -recursive; -check; -diff; -write=; -upgrade; -reconfigure; -raw;
    -refresh-only; -migrate-state; -compact-warnings; -detailed-exitcode; -help; -version; -allow-missing
  `);

const row = (names: string, effects?: Effects, subcommands?: readonly Subcommand[]): Subcommand => ({
  names: names.split(" "),
  grammar: { single: true, options: terraformOptions, ...(subcommands ? { stop: true } : {}) },
  ...(effects ? { effects } : {}),
  ...(subcommands ? { subcommands } : {}),
});

/** The configuration that is read: the folder of `-chdir`, or the working directory. */
function configuration(call: Call): void {
  call.to.read(call.value("-chdir") ?? here(call), { recursive: true, takes: infrastructureSources });
  for (const file of call.values("-var-file")) call.to.read(file);
}

const plans: Effects = (call) => {
  configuration(call);
  const out = call.value("-out") ?? call.value("-generate-config-out");
  if (out) call.to.write(out);
};

/** `apply`, `destroy` and what changes state; `-target` narrows it. */
const changes =
  (verb: string): Effects =>
  (call) => {
    configuration(call);
    const [plan] = verb === "apply" ? call.operands : [];
    if (plan) call.to.read(plan);
    const removing = call.has("-destroy") ? "destroy" : verb;
    operate(call, "terraform", removing, "", [...call.values("-target"), ...call.values("-replace")]);
  };

const stateful =
  (verb: string, kind: string): Effects =>
  (call) =>
    operate(call, "terraform", verb, kind, call.operands);

const terraform: Program = {
  names: ["terraform", "tofu", "terragrunt"],
  grammar: { single: true, options: terraformOptions, stop: true },
  subcommands: [
    row("plan show validate graph providers version console metadata get test modules", plans),
    row("output", (call) => {
      plans(call);
      const [name] = call.operands;
      if (name && soundsSecret(name.text) && (call.has("-raw") || call.has("-json")))
        call.to.config(spelled`terraform reveal output/${name}`);
    }),
    row("fmt", (call) => {
      const folder = call.value("-chdir");
      const inFolder = (word: Field): Field =>
        folder && !/^[/~]/.test(word.text) ? withText(folder, `${folder.text}/${word.text}`) : word;
      const places = call.operands.length > 0 ? call.operands.map(inFolder) : [folder ?? here(call)];
      for (const place of places) {
        call.to.read(place, { recursive: true, takes: infrastructureSources });
        if (!call.has("-check") && call.value("-write")?.text !== "false") call.to.write(place);
      }
    }),
    row("init", (call) => {
      configuration(call);
      for (const module of call.values("-from-module")) installOne(call, "terraform", module);
      call.to.network("registry.terraform.io/", "download");
      call.to.write(withText(here(call), ".terraform"));
      call.to.run("terraform providers");
    }),
    row("apply up", changes("apply")),
    row("destroy run-all", changes("destroy")),
    row("refresh", changes("refresh")),
    row("import", stateful("import", "")),
    row("taint untaint", stateful("taint", "")),
    row("force-unlock", stateful("unlock", "state")),
    row("login logout", (call) => call.to.network(call.operands[0] ?? "https://app.terraform.io/", "upload")),
    row("state", undefined, [
      row("list show"),
      row("pull", (call) => call.to.config("terraform reveal state")),
      row("rm", stateful("delete", "state")),
      row("mv", stateful("move", "state")),
      row("push replace-provider", stateful("push", "state")),
    ]),
    row("workspace", undefined, [row("list show select new"), row("delete", stateful("delete", "workspace"))]),
  ],
  effects: unknownVerb,
};

function unknownVerb(call: Call): void {
  if (call.subcommand !== "" || call.operands.length === 0) return;
  call.to.run(`${call.program} ${call.operands[0]?.text ?? ""}`);
  call.to.doubt(`what \`${call.program} ${call.operands[0]?.text ?? ""}\` does is not known`);
}

const pulumiOptions = optionList(`
    -s --stack=; -C --cwd=; -y --yes; -f --skip-preview; -m --message=; -t --target=; -r --refresh; --config-file=; -c
    --config=; --plan=; --save-plan=; --parallel=; -d --diff; --show-secrets; --force; --remove; --file=
  `);

const program =
  (verb: string): Effects =>
  (call) => {
    call.to.read(call.value("--cwd") ?? here(call), { recursive: true, takes: programSources });
    call.to.run("pulumi program");
    if (verb !== "preview") {
      const stack = call.value("--stack");
      operate(call, "pulumi", verb, stack ? "stack" : "", stack ? [stack] : []);
    }
    call.to.doubt("pulumi runs the program in its folder");
  };

const pulumi: Program = {
  names: ["pulumi", "cdk", "cdktf", "sst", "serverless", "sls"],
  grammar: { options: pulumiOptions, stop: true },
  subcommands: [
    subcommand("preview pre diff synth list ls doctor", pulumiOptions, program("preview")),
    subcommand("up update deploy", pulumiOptions, program("up")),
    subcommand("destroy down dn remove", pulumiOptions, program("destroy")),
    subcommand("refresh import cancel", pulumiOptions, program("refresh")),
    subcommand("version about whoami logs history", pulumiOptions),
    {
      names: ["stack", "state"],
      grammar: { options: pulumiOptions, stop: true },
      subcommands: [
        subcommand("ls output select history graph tag", pulumiOptions),
        subcommand("export", pulumiOptions, (call) => {
          const file = call.value("--file");
          if (file) call.to.write(file);
          if (call.has("--show-secrets")) call.to.config("pulumi reveal stack");
        }),
        subcommand("init import rename", pulumiOptions, (call) =>
          operate(call, "pulumi", call.subcommand.split(" ").at(-1) ?? "", "stack", call.operands),
        ),
        subcommand("rm delete", pulumiOptions, (call) =>
          operate(call, "pulumi", "delete", call.subcommand.split(" ")[0] ?? "stack", call.operands),
        ),
      ],
      effects: unknownVerb,
    },
    subcommand("config", pulumiOptions, (call) => {
      if (call.has("--show-secrets") || call.operands[0]?.text === "get") call.to.config("pulumi reveal config");
      if (call.operands[0]?.text === "set") call.to.config(spelled`pulumi set config/${call.operands[1]}`);
    }),
  ],
  effects: unknownVerb,
};

const ansibleOptions = optionList(`
    -i --inventory=; -m --module-name=; -a --args=; -l --limit=; -u --user=; -b --become; --become-user=; -e --extra-vars=;
    -t --tags=; --skip-tags=; -C --check; -D --diff; -K --ask-become-pass; -k --ask-pass; -f --forks=; --vault-password-file=;
    --private-key=; -c --connection=; --syntax-check; --list-hosts; --list-tasks; -v; -M --module-path=
  `);

/** Playbooks and modules run on other hosts, or here with a local connection. */
function ansible(call: Call): void {
  for (const name of ["--inventory", "--vault-password-file", "--private-key"])
    for (const file of call.values(name)) if (!file.text.includes(",")) call.to.read(file, { metadata: false });
  for (const value of call.values("--extra-vars"))
    if (value.text.startsWith("@")) call.to.read(withText(value, value.text.slice(1)));
  if (call.program === "ansible-playbook") for (const file of call.operands) call.to.read(file);
  if (["--syntax-check", "--list-hosts", "--list-tasks"].some((name) => call.has(name))) return;
  const module = call.value("--module-name")?.text.replace(/^ansible\.\w+\./, "");
  const args = call.value("--args");
  if (module === "file" && args && /\bstate=absent\b/.test(args.text)) {
    const path = /\b(?:path|dest|name)=(?:"([^"]*)"|'([^']*)'|(\S+))/.exec(args.text);
    const here = call.operands.some((word) => /^(?:localhost|127\.0\.0\.1|all)$/.test(word.text));
    if (path) call.to.delete(withText(args, path[1] ?? path[2] ?? path[3] ?? ""), true, here);
  }
  call.to.run(
    call.program === "ansible-playbook"
      ? (call.operands[0]?.text ?? "playbook")
      : `module ${call.value("--module-name")?.text ?? "command"}`,
  );
  call.to.doubt("what runs on the managed hosts is not analysed");
}

/** `vagrant`: machines of this host. */
const vagrant: Program = {
  names: ["vagrant"],
  grammar: { stop: true },
  subcommands: [
    subcommand("status global-status port ssh-config version validate", []),
    subcommand("destroy", ["-f --force", "-g --graceful"], (call) =>
      operate(call, "vagrant", "delete", "machine", call.operands),
    ),
    subcommand("ssh", ["-c --command=", "-p --plain"], (call) => {
      call.to.run("vagrant ssh");
      call.to.doubt("what runs in the machine is not known");
    }),
    subcommand("halt suspend", ["-f --force"], (call) => call.to.kill("machine")),
    subcommand(
      "up reload provision resume box plugin init package snapshot",
      ["--provider=", "--provision"],
      (call) => {
        const [verb, box] = call.operands;
        if (call.subcommand === "box" && verb?.text === "add" && box && /:\/\//.test(box.text))
          installOne(call, "vagrant", box);
        call.to.run(`vagrant ${call.subcommand}`);
        call.to.doubt("vagrant runs its Vagrantfile");
      },
    ),
  ],
  effects: unknownVerb,
};

/** Programs that only start a command, which a wrapper already took out of their words; their other effects are not listed. */
const starters =
  "lxc-attach toolbox distrobox lima wsl orb devcontainer systemd-nspawn pdsh clush parallel-ssh pssh rgang adb pipx-run nodemon mise asdf start-stop-daemon cargo-watch";

/** Form of a nix package reference to another source; a name of its own collection has none. */
const flake = /^(?:github|gitlab|sourcehut|git\+[a-z]+|git|tarball\+?[a-z]*|https?):/;

/** `nix run github:owner/name`, `nix-env -if URL`: the code that is built and run comes from an address. */
function nix(call: Call): void {
  if (call.words.every((word) => /^(?:--version|--help|search|show|repl|store|path-info|why-depends)$/.test(word.text)))
    return;
  for (const word of call.words)
    if (flake.test(word.text))
      call.to.install("nix", /^(?:https?|tarball)/.test(word.text) ? "url" : "git", textOfField(word));
  call.to.run(call.program);
  call.to.doubt(`what ${call.program} runs is not analysed`);
}

/** Tools that build and change infrastructure. Source: their command references; targets: `operate`. */
export const infrastructurePrograms: readonly Program[] = [
  terraform,
  pulumi,
  vagrant,
  {
    names: starters.split(" "),
    grammar: { stop: true },
    effects: (call) => {
      if (
        call.words.every((word) =>
          /^(?:-l|--list|list|ls|status|--version|--help|devices|current|which)$/.test(word.text),
        )
      )
        return;
      call.to.run(call.program);
      call.to.doubt(`what ${call.program} runs is not analysed`);
    },
  },
  { names: ["nix", "nix-shell", "nix-build", "nix-env", "nix-channel"], grammar: { stop: true }, effects: nix },
  { names: ["ansible", "ansible-playbook", "ansible-pull"], grammar: { options: ansibleOptions }, effects: ansible },
  {
    names: ["packer", "nomad", "consul", "salt", "puppet", "chef-client", "fab"],
    grammar: {},
    effects: (call) => {
      const [verb, ...rest] = call.operands;
      if (!verb || /^(?:validate|inspect|version|status|members|fmt|info)$/.test(verb.text)) return;
      const removes = call.operands.findIndex(
        (word, i) => i < 3 && (verbKind(word.text) === "deletes" || (call.program === "nomad" && word.text === "stop")),
      );
      const kind = call.operands.slice(0, Math.max(removes, 0)).map((word) => word.text);
      if (removes > 0) operate(call, call.program, "delete", kind.join("/"), call.operands.slice(removes + 1));
      else operate(call, call.program, verb.text, "", rest.slice(0, 1));
      // `puppet apply -e text` names the files that are to be absent.
      for (const text of call.program === "puppet" ? call.operands : [])
        for (const found of text.text.matchAll(/\bfile\s*\{\s*["']([^"']+)["']\s*:[^}]{0,256}\babsent\b/g))
          call.to.delete(withText(text, found[1] as string), true);
      call.to.run(`${call.program} ${verb.text}`);
      call.to.doubt(`what ${call.program} runs is not analysed`);
    },
  },
  {
    names: ["lxc", "incus", "multipass", "limactl", "virsh", "VBoxManage", "prlctl", "colima"],
    grammar: {},
    effects: (call) => {
      const [verb, ...names] = call.operands;
      if (!verb || /^(?:list|ls|info|show|version|status|dumpxml|dominfo|find|networks|aliases)$/.test(verb.text))
        return;
      if (/^(?:exec|shell|ssh|console)$/.test(verb.text)) {
        call.to.run(`${call.program} ${verb.text}`);
        call.to.doubt("what runs in the machine is not known");
      } else if (/^(?:delete|purge|undefine|unregistervm|rm)$/.test(verb.text))
        operate(call, call.program, "delete", "machine", names);
      else if (/^(?:stop|destroy|shutdown|halt|kill)$/.test(verb.text))
        for (const name of names) call.to.kill(spelled`machine/${name}`, name.kind === "literal");
      else
        call.to.config(
          names[0] ? spelled`${call.program} ${verb} machine/${names[0]}` : spelled`${call.program} ${verb} machine`,
        );
    },
  },
];
