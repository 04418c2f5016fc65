import { createHashes } from "./hashes.ts";

/** The module of `scripts/build/sha256-wasm.ts`, as the build writes it into the launcher. */
declare const sha256Wasm: string;

/** Not by its name, for which the build has this module stand. */
const load = require;

/** `node:crypto` for the launcher and its program: the build has all their imports of it lead here. */
export const crypto = createHashes(Buffer.from(sha256Wasm, "base64"), () => load("node:crypto"));
