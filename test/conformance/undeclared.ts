import type { UndeclaredId } from "../../rules/cel-subset.ts";
import type { Case } from "./cases.ts";
import { isTime } from "./values.ts";

/** How a case shows that it uses an undeclared feature: by what stands in it, never by what we make of it. */
type Detector = (given: Case, shown: Shown) => boolean;

/** A case in the forms that detectors look at. */
interface Shown {
  /** The expression with strings emptied (their prefixes stay) and comments gone. */
  readonly code: string;
  /** Declarations, bindings and expectation as JSON. */
  readonly data: string;
}

const largest = BigInt(Number.MAX_SAFE_INTEGER);

/** The undeclared feature that a case needs, or undefined. */
export function undeclaredIn(given: Case): UndeclaredId | undefined {
  const { expr, name: _, ...rest } = given.original;
  const shown: Shown = { code: codeOf(expr), data: JSON.stringify(rest) };
  return (Object.keys(detectors) as UndeclaredId[]).find((id) => detectors[id](given, shown));
}

const quoted = /([bBrR]{0,2})("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\/\/[^\n]*/g;

function codeOf(text: string): string {
  return text.replace(quoted, (whole, prefix: string | undefined) =>
    whole.startsWith("//") ? " " : `${prefix ?? ""}""`,
  );
}

const hasFunctions = (given: Case): boolean =>
  given.original.typeEnv?.some((each) => each.function !== undefined) ?? false;

const detectors: Readonly<Record<UndeclaredId, Detector>> = {
  enums: ({ section }) => section.startsWith("conformance/enums/"),
  encoders: (_, { code }) => /\bbase64\./.test(code),
  block: (_, { code }) => /\bcel\.(?:block|index|iterVar|accuVar)\(/.test(code),
  protobuf: (given, { code, data }) => usesMessages(given, code, data),
  bytes: ({ checkedAst }, { code, data }) =>
    /"(?:bytesValue|BYTES)"/.test(data) ||
    /[bB][rR]?""|[rR][bB]""/.test(code) ||
    /\b(?:bytes|ib)\b/.test(code) ||
    /~bytes\b/.test(checkedAst ?? ""),
  uint: ({ checkedAst, suite }, { code, data }) =>
    /"(?:uint64Value|UINT64)"/.test(data) ||
    /\b(?:0x[0-9a-fA-F]+|[0-9]+)[uU]\b/.test(code) ||
    /\buint\b/.test(code) ||
    (suite === "checking" && /\biu\b/.test(code)) ||
    /~uint\b/.test(checkedAst ?? ""),
  "large-int": (_, { code, data }) =>
    hasLargeInt(code) || hasLargeInt([...data.matchAll(/"int64Value":"(-?\d+)"/g)].map(([, n]) => n).join(" ")),
  "host-functions": (given, { code }) =>
    hasFunctions(given) || (given.suite === "checking" && /\b(?:fg_s|fi_s_s)\(/.test(code)),
  containers: ({ original }, { code }) =>
    (original.container ?? "") !== "" ||
    /(?:^|[^\w)\]}"'`?.\s])\s*\.[A-Za-z_]/.test(code) ||
    (original.typeEnv ?? []).some(({ name, ident }) => ident !== undefined && name.includes(".")) ||
    Object.keys(original.bindings ?? {}).some((name) => name.includes(".")),
  "time-zones": ({ original: { expr } }) => /["'][A-Z][A-Za-z]+\/[A-Z]/.test(expr),
};

function usesMessages(
  { checkedAst = "", container = "" }: Case & { container?: string },
  code: string,
  data: string,
): boolean {
  const types = [...data.matchAll(/"@type":"([^"]*)"/g)].map(([, type]) => type);
  const declared = [...data.matchAll(/"messageType":"([^"]*)"/g)].map(([, type]) => type as string);
  return (
    types.some((type) => !isTime(type)) ||
    declared.some((type) => !/^google\.protobuf\.(?:Duration|Timestamp)$/.test(type)) ||
    /"wellKnown":"ANY"|"wrapper":/.test(data) ||
    /\b(?:cel\.expr|google)\./.test(container) ||
    /\bgoogle\.|\bcel\.expr\./.test(checkedAst) ||
    /\b(?:google\.protobuf|google\.expr|cel\.expr|proto)\.|\bTestAllTypes\b/.test(code) ||
    /\b(?!in\b)[A-Za-z_][\w.]*\s*\{/.test(code)
  );
}

function hasLargeInt(text: string): boolean {
  const found = text.match(/(?<![\w.])(?:0x[0-9a-fA-F]+|\d+)(?![\w.])/g) ?? [];
  return found.some((digits) => BigInt(digits) > largest);
}
