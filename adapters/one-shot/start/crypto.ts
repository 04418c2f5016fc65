import { createRequire } from "node:module";
import { createHashes } from "./hashes.ts";

/** The module of `scripts/build/sha256-wasm.ts`, as the build writes it into the launcher. */
declare const sha256Wasm: string;

/** `node:crypto` for the launcher and its program: the build has all their imports of it lead here. */
export const crypto = createHashes(Buffer.from(sha256Wasm, "base64"), () => createRequire(__filename)("node:crypto"));
