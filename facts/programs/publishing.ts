import type { Field } from "../shell/fields.ts";
import { optionList } from "./grammar.ts";
import { operate } from "./operations.ts";
import { type Call, type Program, subcommand } from "./program.ts";

/**
 * Publishing is a `config` effect, `<registry> <verb> package[/<name>]`, with `publish` for packages that others can then
 * install and `delete` for those that they no longer can; `grant` gives the right to publish. Source: documentation of each
 * client.
 */
export function publishes(registry: string, host: string, verb = "publish"): (call: Call) => void {
  return (call) => publish(call, registry, host, verb, call.operands);
}

/** Reports that packages are published; a rehearsal publishes nothing. */
export function publish(call: Call, registry: string, host: string, verb: string, names: readonly Field[]): void {
  if (call.has("--dry-run")) return;
  const given = call.value("--registry") ?? call.value("--repository-url") ?? call.value("--source");
  call.to.network(given ?? host, "upload");
  operate(call, registry, verb, "package", names);
  call.to.run(`${call.program} ${call.subcommand}`.trim());
  call.to.doubt("publishing runs what the package says");
}

const options = optionList(`
    -r --repository=; --repository-url=; -u --username=; -p --password=; --config-file=; --registry=; -s --source=; -k
    --api-key=; -h --host=; --dry-run; --skip-existing; --pat=; -i --packagePath=; --target=; --tag=; --otp=; --access=;
    --token=; --index=; --publish-url=; -c --config=; --snapshot; --skip=
  `);

function publisher(names: string, verbs: string, registry: string, host: string): Program {
  const what = publishes(registry, host);
  return {
    names: names.split(" "),
    subcommands: [subcommand(verbs, options, what)],
    effects: (call) => {
      if (call.subcommand !== "") return;
      call.to.run([call.program, ...call.operands.slice(0, 1).map((word) => word.text)].join(" "));
      call.to.doubt(`what ${call.program} does is not analysed`);
    },
  };
}

/** Programs whose purpose is to publish. */
export const publishingPrograms: readonly Program[] = [
  publisher("twine", "upload register", "pypi", "upload.pypi.org"),
  publisher("flit hatch", "publish", "pypi", "upload.pypi.org"),
  publisher("vsce ovsx", "publish", "vscode", "marketplace.visualstudio.com"),
  publisher("goreleaser", "release publish", "github", "api.github.com"),
  publisher("jsr changeset", "publish", "npm", "registry.npmjs.org"),
  publisher("semantic-release release-it np", "publish", "npm", "registry.npmjs.org"),
];
