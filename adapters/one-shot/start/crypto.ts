import { createHashes } from "./hashes.ts";

/** The module of `scripts/build/sha256-wasm.ts`, as the build writes it into the launcher. */
declare const sha256Wasm: string;

/** `require` under another name, because the build maps direct imports of `node:crypto` to this module. */
const load = require;

/** `node:crypto` for the launcher and its program; the build maps all their imports of it to this. */
export const crypto = createHashes(Buffer.from(sha256Wasm, "base64"), () => load("node:crypto"));
