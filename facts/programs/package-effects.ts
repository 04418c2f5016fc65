import { homeField, withText } from "../shell/fields.ts";
import { mayNameHost } from "./addresses.ts";
import { canonicalManager } from "./managers.ts";
import { installListed, installOne } from "./package-sources.ts";
import type { Call, Effects, Subcommand } from "./program.ts";

/** Adds packages: install scripts run unless they are switched off. */
export function add(manager: string): Effects {
  return (call) => {
    for (const word of call.operands) installOne(call, manager, word);
    const listed = call.operands.length === 0 && !call.has("--editable");
    if (listed) installListed(call, manager);
    for (const name of ["--requirement", "--constraint"])
      for (const file of call.values(name))
        if (/^https?:/i.test(file.text)) installOne(call, manager, file);
        else call.to.read(file);
    for (const name of ["--registry", "--index-url", "--extra-index-url", "--default-index", "--index", "--find-links"])
      for (const url of call.values(name)) if (mayNameHost(url, /^https?:/i)) call.to.network(url, "download");
    scriptsRun(call, manager);
  };
}

/** Reports the scripts that an installation runs, unless an option switches them off. */
export function scriptsRun(call: Call, manager: string): void {
  if (call.has("--ignore-scripts")) return;
  call.to.run(`${manager} install scripts`);
  call.to.doubt("installing packages runs their scripts");
}

/** `npm run build`: runs a script of the project. */
export function runs(call: Call): void {
  const script =
    call.subcommand === "run" || call.subcommand === "run-script" ? call.operands[0]?.text : call.subcommand;
  call.to.run(`${call.program} ${script ?? ""}`.trim());
  call.to.doubt("what the package script does is not analysed");
}

/** Commands below `global`, which installs for all projects of a user. */
export function globalGroup(subcommands: readonly Subcommand[]): Subcommand {
  return {
    names: ["global"],
    grammar: { options: ["-C --prefix --cwd=", "--registry=", "--global-folder="], stop: true },
    subcommands,
    effects: unknownBelow,
  };
}

/** `npm config set key value`: changes the settings of a manager. */
export function configures(call: Call): void {
  const [verb, key, value] = call.operands;
  if (verb?.text === "get" && key && /_auth|token|password/i.test(key.text))
    call.to.read(homeField(call.program === "pip" ? "~/.pypirc" : "~/.npmrc", call.draft.place));
  if (!verb || !["set", "delete", "edit", "fix"].includes(verb.text)) return;
  call.to.write(
    homeField(
      call.program === "pip" ? "~/.config/pip/pip.conf" : call.has("--location") ? ".npmrc" : "~/.npmrc",
      call.draft.place,
    ),
  );
  call.to.config(key?.text.replace(/=.*/s, "") ?? "");
  if (!key || !/registry|index-url|proxy/i.test(key.text)) return;
  const address = key.text.includes("=") ? withText(key, key.text.replace(/^[^=]*=/s, "")) : value;
  if (address && mayNameHost(address)) call.to.network(address, "both", "later");
}

/** `npx name`: downloads the package unless it is there, and runs it. */
export function runsPackage(call: Call): void {
  const [name] = call.operands;
  const packages = ["--package", "--from", "--spec"].flatMap((option) => call.values(option));
  const named = packages.length > 0 ? packages : name ? [name] : [];
  // What `uvx --with` names is installed beside the package.
  for (const one of [...named, ...call.values("--with")]) {
    const isFile = /^(?:\.{0,2}\/|~)/.test(one.text) && !/\.tgz$/.test(one.text);
    if (!isFile && !call.has("--no-install") && !call.has("--no"))
      installOne(call, canonicalManager(call.program), one);
  }
  call.to.run(name?.text ?? call.program);
  call.to.doubt("a package's program is run");
}

/** Reports a subcommand that the table knows by name alone. */
export function unknownBelow(call: Call): void {
  call.to.run(`${call.program} ${call.subcommand}`);
  call.to.doubt("what the package manager does is not known");
}
