import { transform } from "esbuild";
import type { HookFactory } from "../../adapters/hooks/api.ts";
import { type SeedName, seedBlocks } from "./seed-text.ts";

/** Texts of the TypeScript blocks of a seed, in their order. */
export function codeBlocks(name: SeedName): string[] {
  return seedBlocks(name).flatMap(({ language, text }) => (/^(?:ts|typescript)$/.test(language) ? [text] : []));
}

/** The one block of a seed that holds all of these texts. */
export function blockWith(name: SeedName, ...parts: readonly string[]): string {
  const found = codeBlocks(name).filter((block) => parts.every((part) => block.includes(part)));
  if (found.length !== 1) throw new Error(`${found.length} blocks of ${name} hold ${parts.join(" and ")}`);
  return found[0] as string;
}

/**
 * A block as the factory that it is. Statements without one become the body of a factory that gets `pi` and `omp`;
 * `before` defines the names that the seed leaves to the reader.
 */
export async function factoryOf(block: string, before = ""): Promise<HookFactory> {
  const whole = /^export default /m.test(block);
  const source = whole ? block : `${before}\nexport default function (pi, omp = pi) {\n${block}\n}\n`;
  const { code } = await transform(source, { loader: "ts", format: "esm" });
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  return ((await import(/* @vite-ignore */ url)) as { default: HookFactory }).default;
}
