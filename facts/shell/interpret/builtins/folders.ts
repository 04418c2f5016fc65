import { directoryAfter } from "../../directories.ts";
import type { Field } from "../../fields.ts";
import { ends, type Outcome, succeeds } from "../outcome.ts";
import type { Store } from "../store.ts";
import { type Builtin, operandsOf } from "./builtin.ts";

/** `cd`, `pushd`: where it succeeds the shell is in the other folder, and where it fails it stays. */
export const changeFolder: Builtin["run"] = ({ args, store, draft }) => {
  const [target] = operandsOf(args);
  const before = store.folder;
  const home = store.textOf("HOME");
  if (!target) {
    if (draft.program === "pushd") store.moveTo("");
    else store.moveTo(home?.kind === "literal" ? home.text : "");
    return succeeds(store);
  }
  if (target.text === "-" && target.kind === "literal") {
    store.moveTo(store.previous);
    return succeeds(store);
  }
  if (target.kind === "literal" && target.text === "") return succeeds(store);
  // With a physical path (`-P`), `..` of a link is the parent of its target, which the link's name does not show.
  const isPhysical = args.some((word) => /^-\w*P/.test(word.text)) && !target.text.startsWith("/");
  const isNamed = store.option("cdable_vars") !== "off" && /^[A-Za-z_]\w*$/.test(target.text);
  const isStraying = isPhysical || isNamed || isSearched(target, store);
  const to = target.kind === "literal" ? directoryAfter(before, target.text) : "";
  const isThere = to !== "" && !isStraying && stands(to, store);
  const stayed = isThere ? undefined : store.fork();
  store.moveTo(to);
  if (isStraying && to !== "") store.folders = [to, ""];
  if (!stayed) return succeeds(store);
  store.status = "ok";
  stayed.status = "fail";
  stayed.excused = true;
  return { ok: store, fail: stayed };
};

/** True where `CDPATH` may lead a relative name elsewhere. */
function isSearched({ text }: Field, store: Store): boolean {
  return store.variables.has("CDPATH") && !/^\.{0,2}\//.test(text) && !/^\.{1,2}$/.test(text);
}

/** True for a folder that the text has made, or that a folder lies in which is there. */
function stands(folder: string, store: Store): boolean {
  return folder === "/" || folder === "/tmp" || store.made.has(folder) || store.made.hasBeginning(`${folder}/`);
}

/** `popd`. */
export const popFolder: Builtin["run"] = ({ store }): Outcome => {
  store.moveTo(store.previous);
  return ends(store, store.previous === "" ? "either" : "ok");
};
