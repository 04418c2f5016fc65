import { type Field, homeField, rewritten, withText } from "../shell/fields.ts";
import { optionList } from "./grammar.ts";
import { type Call, type Program, program } from "./program.ts";
import { spelled, wordsOf } from "./spelled.ts";

const home = (call: Call, path: string): Field => homeField(path, call.draft.place);

/** `ssh-keygen`: makes a key pair, or shows, checks and edits key files. */
function sshKeygen(call: Call): void {
  const file = call.value("-f") ?? home(call, "~/.ssh/id_ed25519");
  const signed = ["-Y", "-s"].some((name) => call.has(name));
  if (call.has("-l") || call.has("-B") || call.has("-F") || call.has("-H")) {
    call.to.read(file, { metadata: call.has("-l") || call.has("-B") });
    if (call.has("-H")) call.to.write(file);
  } else if (call.has("-R")) {
    call.to.write(call.value("-f") ?? home(call, "~/.ssh/known_hosts"));
  } else if (call.has("-y") || call.has("-e") || call.has("-i") || call.has("-p") || call.has("-c")) {
    call.to.read(file);
    if (call.has("-p") || call.has("-c")) call.to.write(file);
  } else if (signed) {
    for (const key of [...call.values("-s"), ...call.values("-f")]) call.to.read(key);
    for (const one of call.operands) call.to.read(one);
  } else {
    call.to.write(file);
    call.to.write(withText(file, `${file.text}.pub`));
  }
}

function sshAdd(call: Call): void {
  if (call.has("-l") || call.has("-L")) return;
  if (call.has("-D") || call.has("-d")) {
    call.to.config("ssh-agent delete keys");
    return;
  }
  const keys = call.operands.length > 0 ? call.operands : [home(call, "~/.ssh/id_ed25519")];
  for (const key of keys) call.to.read(key);
}

/** `security`: the keychain of macOS. */
function keychain(call: Call): void {
  const [verb, ...rest] = call.operands;
  const store = home(call, "~/Library/Keychains/login.keychain-db");
  const name = verb?.text ?? "";
  if (
    /^(?:find-(?:generic|internet)-password|find-key|dump-keychain|export|find-identity|find-certificate)$/.test(name)
  ) {
    const secret = call.has("-w") || call.has("-g") || /^(?:dump-keychain|export|find-key)$/.test(name);
    call.to.read(store, { metadata: !secret });
    const out = call.value("-o");
    if (out) call.to.write(out);
  } else if (
    /^(?:add-|delete-|set-|import|create-keychain|unlock-keychain|lock-keychain|default-keychain|authorizationdb)/.test(
      name,
    )
  ) {
    call.to.write(store);
    call.to.config(`keychain ${name.split("-")[0] ?? name}`);
    if (name === "import" && rest[0]) call.to.read(rest[0]);
  } else if (!/^(?:help|list-keychains|show-keychain-info|verify-cert|error|leaks|cms|)$/.test(name))
    call.to.doubt("what is done to the keychain is not known");
}

/** Password stores that print secrets. */
function passwords(call: Call): void {
  const [verb, ...names] = call.operands;
  const text = verb?.text ?? "";
  if (call.program === "secret-tool") {
    const store = home(call, "~/.local/share/keyrings/login.keyring");
    if (text === "lookup" || text === "search") call.to.read(store);
    else if (text !== "") call.to.write(store);
    return;
  }
  const folder = (name: string): Field => home(call, `~/.password-store/${name}`);
  if (/^(?:ls|list|find|search|git|help|version|)$/.test(text)) return;
  if (/^(?:insert|add|generate|edit|mv|rename|cp|copy|init)$/.test(text))
    call.to.write(folder(`${names[0]?.text ?? ""}.gpg`));
  else if (/^(?:rm|remove|delete)$/.test(text))
    for (const name of names) call.to.delete(folder(`${name.text}.gpg`), call.has("-r"));
  else call.to.read(folder(`${(text === "show" || text === "grep" ? names[0]?.text : text) ?? ""}.gpg`));
}

/** Vaults with a command line of their own: reading prints a secret. */
function vaults(call: Call): void {
  const [verb] = call.operands;
  if (!verb || /^(?:list|status|login|logout|lock|sync|unlock|help|config)$/.test(verb.text)) return;
  if (verb.text === "get" || verb.text === "show" || verb.text === "export") {
    call.to.read(home(call, call.program === "bw" ? "~/.config/Bitwarden CLI/data.json" : "~/.local/share/lpass/blob"));
    call.to.config(spelled`${call.program} reveal ${call.operands[1]}`);
  } else call.to.config(wordsOf(call.program, ...call.operands.slice(0, 2)));
}

/** Encryption of files with keys: `age`, `sops`, `ansible-vault`. */
function encrypts(call: Call): void {
  for (const name of ["--identity", "--recipients-file", "--vault-password-file"])
    for (const file of call.values(name)) call.to.read(file);
  const output = call.value("--output");
  if (output) call.to.write(output);
  const verb = /^(?:encrypt|decrypt|view|edit|create|rekey|exec-env|exec-file|publish|updatekeys|rotate|set)$/.test(
    call.operands[0]?.text ?? "",
  );
  const files = verb ? call.operands.slice(1) : call.operands;
  const changes =
    call.has("--in-place") || (call.program === "ansible-vault" && !/^view$/.test(call.operands[0]?.text ?? ""));
  const shown = call.has("--decrypt") || /^(?:decrypt|view|edit)$/.test(call.operands[0]?.text ?? "");
  for (const file of files) {
    call.to.read(file);
    if (changes) call.to.write(file);
    else if (shown && !output) call.to.config(spelled`${call.program} reveal ${file}`, file.kind === "literal");
  }
  if (call.operands[0]?.text.startsWith("exec-")) call.to.doubt("sops runs a program that it is given");
}

/** Mail leaves the machine with its text and attachments. */
function mail(call: Call): void {
  for (const name of ["-a", "-A", "--attach"]) for (const file of call.values(name)) call.to.read(file);
  const people = call.operands.filter((word) => word.text !== "-");
  for (const person of people)
    call.to.network(
      rewritten(person, (text) => `mailto:${text}`),
      "upload",
      person.kind !== "pattern",
    );
  if (people.length === 0 && !call.has("-q") && !call.has("--list")) call.to.network("smtp://localhost", "upload");
}

/** Programs around keys, passwords and mail. Source: threats page, classes 14 and 15. */
export const credentialPrograms: readonly Program[] = [
  program(
    "ssh-keygen",
    optionList(
      "-f=; -t=; -b=; -C=; -N=; -P=; -m=; -O=; -I=; -n=; -s=; -V=; -Y=; -R=; -F=; -a=; -Z=; -z=; -w=; -D=; -y; -e; -i; -l; -p; -c; -B; -H; -q; -v; -A; -h; -k; -L; -u",
    ),
    sshKeygen,
  ),
  program("ssh-add", optionList("-l; -L; -D; -d; -t=; -k; -K; -A; -x; -X; -s=; -e=; -q; -c; -E=; -T="), sshAdd),
  program("ssh-copy-id", optionList("-i=?; -p=; -o=; -f; -n; -s; -t="), (call) => {
    const key = call.value("-i") ?? home(call, "~/.ssh/id_ed25519.pub");
    call.to.read(key);
    for (const host of call.operands)
      call.to.network(
        rewritten(host, (text) => `ssh://${text}`),
        "upload",
        host.kind !== "pattern",
      );
  }),
  program("ssh-keyscan", optionList("-t=; -p=; -T=; -f=; -H; -c; -D; -4; -6; -v"), (call) => {
    for (const host of call.operands)
      call.to.network(
        rewritten(host, (text) => `ssh://${text}`),
        "download",
        host.kind !== "pattern",
      );
  }),
  {
    names: ["security"],
    grammar: {
      options: optionList(
        "-a=; -s=; -l=; -w=?; -g; -D=; -c=; -C=; -j=; -o=; -k=; -t=; -f=; -p=; -P=; -T=; -d; -r; -A; -U; -u=",
      ),
      exact: true,
    },
    effects: keychain,
  },
  program(
    "secret-tool pass gopass",
    optionList("-c --clip=?; -f --force; -r --recursive; -m --multiline; -n --no-symbols; --label="),
    passwords,
  ),
  program("bw lpass", optionList("--session=; --raw; --pretty; -q --quiet; --password; --clip -c; --format="), vaults),
  program(
    "age sops ansible-vault",
    optionList(
      "-o --output=; -i --identity=; -r --recipient=; -R --recipients-file=; -d --decrypt; -e --encrypt; -a --armor; -p --passphrase; --vault-password-file=; --in-place; --input-type=; --output-type=; --pgp=; --kms=; --age=; --extract=; --set=",
    ),
    encrypts,
  ),
  program(
    "mail mailx sendmail msmtp mutt swaks ssmtp",
    optionList(
      "-s --subject=; -a --attach=; -A=; -c=; -b=; -r=; -S=; -t; -i; -f --from=; -F=; -u=; -q=; -C=; -o=; --to=; --server=",
    ),
    mail,
  ),
];
