import { kindOf } from "../../facts/programs/kubernetes.ts";
import type { WrongShape } from "./wrong-shape.ts";

/** Kinds of things in containers' engines, which authors write in the plural. */
const plurals: ReadonlyMap<string, string> = new Map(
  ["container", "volume", "image", "network", "context", "service"].map((kind) => [`${kind}s`, kind]),
);

/**
 * Returns the fault of a target whose kind is a short or plural name: `pods/web` for `pod/web`, `kubernetes delete ns/prod` for
 * `namespace/prod`. `operator` is that of a YAML test.
 */
export function resourceKind(text: string, operator: string): WrongShape | undefined {
  if (!["equals", "in", "starts_with", "glob"].includes(operator) || text.length > 200) return undefined;
  // Clouds have plural kinds of their own, and a process may be called by a path.
  const [, before = "", system = "", kind = "", name = ""] =
    /^((?:(kubernetes|docker) [\w*-]+ )?)([A-Za-z.]+)(\/[\w*{},-]*)$/s.exec(text) ?? [];
  if (system === "" && operator === "starts_with") return undefined;
  if (kind === "") return undefined;
  const own = system === "docker" ? kind : kindOf(kind);
  const single = own === kind && system !== "kubernetes" ? (plurals.get(kind) ?? kind) : own;
  if (single === kind) return undefined;
  const instead = `${before}${single}${name}`;
  return { why: "facts have the kind in the singular, and whole", help: `write \`${instead}\``, instead };
}
