import { anyText, type Text } from "../../schema/approximation.ts";
import type { Environment } from "../../schema/judged-event.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { spend } from "../meter.ts";
import { within } from "../paths/inside.ts";

/** Branch of a work tree whose branch is not known. */
export const unknownBranch = anyText("current branch");

/** Text between two commands where the second runs only if the first succeeded: `&&`, with redirections before it. */
const onlyAfter = /^(?:[^;&|\n()]|>&)*&&(?:\s|\\\n)*$/;

/**
 * The current branch during a call: the environment's, until the call switches it. After a switch, commands that run only if it
 * succeeded see the new branch; for other commands the branch is unknown. Each work tree has its own branch.
 */
export class CurrentBranch {
  readonly #environment: Environment;
  readonly #files: FileSystem;
  #branch: Text;
  #moved = false;
  /** True if the call makes work trees, whose state is not known. */
  #made = false;
  #end = -1;

  constructor(environment: Environment, files: FileSystem) {
    this.#environment = environment;
    this.#files = files;
    this.#branch = environment.branch || unknownBranch;
  }

  /** Records a switch to another branch; undefined if that branch is unknown. */
  moves(branch: Text | undefined): void {
    this.#branch = branch ?? unknownBranch;
    this.#moved = true;
  }

  /** Records that the call makes a work tree. */
  makes(): void {
    this.#made = true;
  }

  /** Notes the place of the next command of a text. */
  follows(text: string, { start, end }: { readonly start: number; readonly end: number }): void {
    if (this.#moved && !(this.#end <= start && onlyAfter.test(text.slice(this.#end, start))))
      this.#branch = unknownBranch;
    this.#end = end;
  }

  /** The branch of the work tree at a folder. */
  of(folder: string): Text {
    return this.#isHere(folder) ? this.#branch : unknownBranch;
  }

  /** True for a folder of the work tree to which the environment's branch belongs. */
  #isHere(folder: string): boolean {
    const { cwd } = this.#environment;
    if (folder === cwd) return true;
    if (folder === "" || this.#made) return false;
    const [below, above] = within(folder, cwd) ? [folder, cwd] : [cwd, folder];
    if (!within(below, above) || !within(above, this.#environment.workspace || cwd)) return false;
    for (let at = below; at !== above; at = at.slice(0, at.lastIndexOf("/"))) {
      spend(2);
      if (this.#files.lookup(`${at}/.git`).kind !== "absent") return false;
    }
    return true;
  }
}
