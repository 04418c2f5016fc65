import type { FactSet, SecretFact, TextFacts } from "../schema/facts.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import type { Facts, FileSystem } from "../schema/ports.ts";
import { readEvent } from "./effects/event.ts";
import type { Reading } from "./effects/reading.ts";
import { scanSecrets } from "./secrets/facts.ts";
import { textFacts } from "./text/facts.ts";
import { dataVersions } from "./versions.ts";

/** Facts about events. Every field is computed when first asked for and then kept; nothing throws. Source: language section 4. */
export const facts: Facts = {
  versions: dataVersions,
  of(event, files) {
    return new EventFacts(event, files);
  },
};

class EventFacts implements FactSet {
  readonly #event: JudgedEvent;
  readonly #files: FileSystem;
  #reading: Reading | undefined;
  #secrets: readonly SecretFact[] | undefined;
  #text: TextFacts | undefined;

  constructor(event: JudgedEvent, files: FileSystem) {
    this.#event = event;
    this.#files = files;
  }

  get #read(): Reading {
    this.#reading ??= readEvent(this.#event, this.#files);
    return this.#reading;
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

  get secrets(): readonly SecretFact[] {
    this.#secrets ??= scanSecrets(this.#event);
    return this.#secrets;
  }

  get text(): TextFacts {
    this.#text ??= textFacts(this.#event);
    return this.#text;
  }
}
