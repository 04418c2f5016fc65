import type { Declarations } from "../schema/declarations.ts";
import {
  type ApproximateKind,
  type Effects,
  effectKinds,
  type FactSet,
  type PathValue,
  type SecretFact,
  type ShellFacts,
  type TextFacts,
} from "../schema/facts.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import { limits } from "../schema/limits.ts";
import type { Facts, FileSystem } from "../schema/ports.ts";
import { carriedCalls } from "./effects/carried.ts";
import { readEvent } from "./effects/event.ts";
import type { Reading } from "./effects/reading.ts";
import { supposing } from "./effects/supposed.ts";
import { unseenEffects } from "./effects/unseen.ts";
import { metered } from "./meter.ts";
import { agentHome } from "./paths/resolve.ts";
import { readWith } from "./programs/declared.ts";
import { scanSecrets, unscannedEvent } from "./secrets/facts.ts";
import { textFacts, unseenText } from "./text/facts.ts";
import { dataVersions } from "./versions.ts";

/** Facts about events. Every field is computed when first asked for and then kept; nothing throws. Source: language section 4. */
export const facts: Facts = {
  versions: dataVersions,
  of(event, files, share = 1, declared?) {
    return new EventFacts(event, files, share, declared);
  },
};

const none: ReadonlySet<ApproximateKind> = new Set();
const every: ReadonlySet<ApproximateKind> = new Set([...effectKinds, "commands"] as const);
/** Lists the kinds of facts that hold a value known in part. */
function approximateKinds(effects: Effects, shell: ShellFacts | undefined): ReadonlySet<ApproximateKind> {
  const { pushes, reads, writes, deletes, network, installs, runs, config, kills } = effects;
  const found: ApproximateKind[] = [];
  if (shell?.open) found.push("commands");
  if (pushes.some(({ remote, target }) => typeof target.branch !== "string" || typeof remote !== "string"))
    found.push("pushes");
  if (network.some(({ url }) => url.partly !== undefined)) found.push("network");
  if (installs.some(({ name, source }) => typeof name !== "string" || typeof source !== "string"))
    found.push("installs");
  for (const [kind, list] of [["runs", runs] as const, ["config", config] as const, ["kills", kills] as const])
    if (list.some(({ target }) => typeof target !== "string")) found.push(kind);
  if (reads.some(isPartly)) found.push("reads");
  if (writes.some(isPartly)) found.push("writes");
  if (deletes.some(isPartly)) found.push("deletes");
  return found.length === 0 ? none : new Set(found);
}

function isPartly({ path }: { readonly path: PathValue }): boolean {
  return path.partly !== undefined;
}

class EventFacts implements FactSet {
  #untold: Set<"secrets" | "text"> | undefined;
  readonly #event: JudgedEvent;
  readonly #files: FileSystem;
  readonly #share: number;
  readonly #declared: Declarations | undefined;
  /** Set where this reading includes effects that are only possible: the reading without them. */
  readonly #base: FactSet | undefined;
  /** True if effects that are only possible would add facts. */
  #touched = false;
  #further: FactSet | undefined;
  #supposed: FactSet | undefined;
  /** Set where this reading supposes an unknown word: the author's text for it. */
  readonly supposes: string | undefined;
  #reading: Reading | undefined;
  #carried: FactSet["carried"];
  #approximate: ReadonlySet<ApproximateKind> | undefined;
  #unseen: FactSet["unseen"];
  #secrets: readonly SecretFact[] | undefined;
  #text: TextFacts | undefined;

  constructor(
    event: JudgedEvent,
    files: FileSystem,
    share: number,
    declared?: Declarations,
    base?: FactSet,
    supposes?: string,
  ) {
    this.#event = event;
    this.#files = files;
    this.#share = share;
    this.#declared = declared;
    this.#base = base;
    this.supposes = supposes;
  }

  get untold(): FactSet["untold"] {
    return this.#base ? this.#base.untold : this.#untold;
  }

  #leaveOut(what: "secrets" | "text"): void {
    this.#untold ??= new Set();
    this.#untold.add(what);
  }

  get #read(): Reading {
    this.#reading ??= this.#with(() => readEvent(this.#event, this.#files, this.#share));
    return this.#reading;
  }

  /** Runs a piece of reading, with the policies' declarations if there are any. */
  #with<T>(given: () => T): T {
    const work = this.supposes === undefined ? given : () => supposing(given);
    if (!this.#declared) return work();
    const { environment } = this.#event;
    const ground = { workspace: environment.workspace, home: agentHome(environment) };
    const { result, touched } = readWith(this.#declared, ground, this.#isFurther, work);
    this.#touched ||= touched;
    return result;
  }

  get #isFurther(): boolean {
    return this.#base !== undefined && this.supposes === undefined;
  }

  get supposed(): FactSet | undefined {
    // If the certain effects were not asked for, the possible ones are not needed.
    if (this.#base || !this.#reading) return undefined;
    const { supposes, understanding } = this.#reading;
    if (supposes === undefined || understanding === "unknown") return undefined;
    this.#supposed ??= new EventFacts(this.#event, this.#files, this.#share, this.#declared, this, supposes);
    return this.#supposed;
  }

  get further(): FactSet | undefined {
    if (!this.#declared || this.#base) return undefined;
    // Reading says whether there is more to be said.
    if (this.#read.understanding === "unknown" || !this.#touched) return undefined;
    this.#further ??= new EventFacts(this.#event, this.#files, this.#share, this.#declared, this);
    return this.#further.understanding === "unknown" ? undefined : this.#further;
  }

  get understanding(): FactSet["understanding"] {
    return this.#read.understanding;
  }

  get doubts(): FactSet["doubts"] {
    return this.#read.doubts;
  }

  get shell(): FactSet["shell"] {
    return this.#read.shell;
  }

  get effects(): FactSet["effects"] {
    return this.#read.effects;
  }

  get approximate(): FactSet["approximate"] {
    const { effects, unseen, shell } = this.#read;
    this.#approximate ??= unseen !== undefined ? every : effects ? approximateKinds(effects, shell) : none;
    return this.#approximate.size > 0 ? this.#approximate : undefined;
  }

  get scripts(): FactSet["scripts"] {
    return this.#read.scripts;
  }

  get unseen(): FactSet["unseen"] {
    const { unseen } = this.#read;
    if (unseen === undefined) return undefined;
    this.#unseen ??= unseenEffects(`unseen code of ${unseen}`);
    return this.#unseen;
  }

  get carried(): NonNullable<FactSet["carried"]> {
    this.#carried ??= this.#with(() => carriedCalls(this.#event, this.#files, this.#share));
    return this.#carried;
  }

  get secrets(): readonly SecretFact[] {
    if (this.#base) return this.#base.secrets;
    this.#secrets ??= metered(
      limits.textWork * this.#share,
      () => scanSecrets(this.#event),
      () => {
        this.#leaveOut("secrets");
        return unscannedEvent(this.#event);
      },
    );
    return this.#secrets;
  }

  get text(): TextFacts {
    if (this.#base) return this.#base.text;
    this.#text ??= metered(
      limits.textWork * this.#share,
      () => textFacts(this.#event),
      () => {
        this.#leaveOut("text");
        return unseenText(this.#event);
      },
    );
    return this.#text;
  }
}
