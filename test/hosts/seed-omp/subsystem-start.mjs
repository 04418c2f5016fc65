import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const [, , omp] = process.argv;
/** The scratch folder, which is the working folder. */
export const project = process.cwd();
/** A module of omp by its path below `src`. */
export const source = (path) => import(join(omp, "src", path));
/** Everything that omp's hook subsystem exports. */
export const hooks = await source("extensibility/hooks/index.ts");

/** Writes a module and gives its path. */
export function file(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const factories = new Map();
globalThis.factoryOf = (name) => factories.get(name);
let made = 0;

/** A runner of omp over one module for each factory, and the errors that its listeners hear. */
export async function runnerOf(...given) {
  const paths = given.map((factory) => {
    const name = `module-${made++}`;
    factories.set(name, factory);
    return file(join(project, "modules", `${name}.mjs`), `export default (pi) => factoryOf("${name}")(pi);\n`);
  });
  const { hooks: loaded, errors } = await hooks.loadHooks(paths, project);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  const runner = new hooks.HookRunner(loaded, project, { file: "the session" }, {});
  const heard = [];
  runner.onError(({ event, error }) => heard.push({ event, error }));
  return { runner, heard, loaded };
}

/** A module that answers one event. */
export const on = (event, answer) => (pi) => pi.on(event, async (given, ctx) => answer(given, ctx));
/** Content of one text. */
export const text = (said) => [{ type: "text", text: said }];
/** What a promise came to. */
export const came = (promise) =>
  promise.then(
    (value) => ({ value }),
    (fault) => ({ thrown: fault.message }),
  );

/** A tool of omp's shape that says what it was given, wrapped by omp. */
export function wrapped(
  runner,
  run = (params) => ({ content: text(`ran ${params.word}`), details: { from: "tool" } }),
) {
  const ran = [];
  const tool = {
    name: "say",
    label: "say",
    description: "Says a word.",
    parameters: { type: "object" },
    async execute(_id, params, _signal, onUpdate) {
      ran.push({ ...params });
      onUpdate?.({ content: text("half"), details: {} });
      return run(params);
    },
  };
  const wrapper = new hooks.HookToolWrapper(tool, runner);
  return {
    ran,
    call: (params = { word: "hello" }, update) => came(wrapper.execute("call-1", params, undefined, update)),
  };
}

/** A tool that fails. */
export const failing = () => {
  throw new Error("the tool failed");
};
