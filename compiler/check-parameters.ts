import type { Code } from "../diagnostics/codes.ts";
import type { Span } from "../diagnostics/source.ts";
import { didYouMean, isSlip } from "../diagnostics/suggest.ts";
import type { Json, Template } from "../engine/plan.ts";
import type { ActionParameter } from "../rules/actions/about.ts";
import { patternFields } from "../rules/actions/pattern-fields.ts";
import { detectorInstead, redactionIds, selectRedaction } from "../rules/actions/redact-detectors.ts";
import { type ActionCheck, lowerFirst } from "./action-check.ts";
import { durationOf } from "./parse/session.ts";
import {
  child,
  scalarSource,
  strings,
  text,
  toValue,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from "./yaml-node.ts";

/** True for a scalar that is text. */
export function isText(node: YamlNode): node is YamlScalar {
  return node.kind === "scalar" && typeof node.value === "string";
}

// Nobody waits longer for a program or a human.
const longest = 600_000;

/** Returns a parameter's plain value; undefined after reporting a finding. */
export function valueOf(
  action: string,
  parameter: ActionParameter,
  node: YamlNode,
  check: ActionCheck,
): Json | undefined {
  const value = node.kind === "scalar" ? node.value : undefined;
  const name = `\`${parameter.name}\` of \`${action}\``;
  const refuse = (wanted: string, help: string): undefined =>
    void check.report("HW102", node.span, `${name} must be ${wanted}`, help) as undefined;
  switch (parameter.type) {
    case "bool":
      return typeof value === "boolean" ? value : refuse("true or false", "write `true` or `false`");
    case "int": {
      const least = parameter.minimum ?? 0;
      const fits = typeof value === "number" && Number.isSafeInteger(value) && value >= least;
      return fits ? value : refuse(`a whole number of at least ${least}`, "write it without quotes");
    }
    case "choice": {
      const allowed = parameter.values ?? [];
      if (typeof value === "string" && allowed.includes(value)) return value;
      check.report(
        "HW104",
        node.span,
        `${name} cannot be \`${String(value ?? "")}\``,
        didYouMean(String(value ?? ""), allowed),
      );
      return undefined;
    }
    case "choices":
      return choicesOf(action, parameter, node, check);
    case "list(string)":
      return listOf(action, parameter, node, check);
    case "patterns":
      return patternsOf(node, check);
    case "values":
      return valuesOf(node, check);
    case "duration": {
      const found = typeof value === "string" ? durationOf(value) : undefined;
      const fits = found !== undefined && found >= (parameter.minimum ?? 1) && found <= longest;
      return fits
        ? found
        : refuse(
            `a duration from ${parameter.minimum ?? 1} ms to ${longest / 60_000} minutes`,
            "write it like `30s` or `10m`",
          );
    }
    case "labels":
      return labelsOf(action, parameter, node, check);
    case "command":
      return commandOf(action, parameter, node, check);
    case "protocol":
      return protocolOf(node) ?? refuse("`json`, `exit_code`, or `{ exit_code: claude }`", "see the actions page");
    default:
      return typeof value === "string" ? value : refuse("text", "quote it");
  }
}

function listOf(action: string, parameter: ActionParameter, node: YamlNode, check: ActionCheck): Json | undefined {
  const items = strings(node);
  const isList = node.kind === "list" && items.length === node.items.length && items.length > 0;
  if (!isList && !isText(node)) {
    check.report(
      "HW102",
      node.span,
      `\`${parameter.name}\` of \`${action}\` must be a list of texts`,
      `write \`${parameter.name}: [ … ]\``,
    );
    return undefined;
  }
  if (parameter.name === "detectors") {
    for (const { value, node: item } of items) {
      if (selectRedaction([value]).unknown.length > 0)
        check.report("HW408", item.span, `no detector is called \`${value}\``, detectorHelp(value));
    }
  }
  return items.map((item) => item.value);
}

/** Returns help for an unknown detector: a near name first, then a detector that is known by other words. */
function detectorHelp(text: string): string {
  const ids = redactionIds();
  const slip = ids.find((id) => isSlip(text, id));
  return (slip === undefined ? detectorInstead(text) : undefined) ?? didYouMean(text, ids);
}

/** Checks a list in which each text must be one of a closed set. */
function choicesOf(action: string, parameter: ActionParameter, node: YamlNode, check: ActionCheck): Json | undefined {
  const values = listOf(action, parameter, node, check);
  if (values === undefined) return undefined;
  const allowed = parameter.values ?? [];
  const wrong = strings(node).filter(({ value }) => !allowed.includes(value));
  for (const { value, node: item } of wrong)
    check.report(
      "HW104",
      item.span,
      `\`${parameter.name}\` of \`${action}\` cannot hold \`${value}\``,
      didYouMean(value, allowed),
    );
  return wrong.length === 0 ? values : undefined;
}

function patternsOf(node: YamlNode, check: ActionCheck): Json | undefined {
  if (node.kind !== "list" || node.items.length === 0) {
    check.report(
      "HW102",
      node.span,
      "`patterns` of `redact` must be a list of patterns",
      "write `patterns: [{ name: key, regex: '…' }]`",
    );
    return undefined;
  }
  return node.items.flatMap((item): Json[] => {
    if (item.kind !== "map") {
      check.report(
        "HW102",
        item.span,
        "a pattern must be a mapping",
        "write `{ name: key, regex: '…', replacement: '…' }`",
      );
      return [];
    }
    return patternOf(item, check) ? [toValue(item) as Json] : [];
  });
}

function patternOf(node: YamlMap, check: ActionCheck): boolean {
  const known = patternFields.map((f) => f.name);
  let sound = true;
  const report = (code: Code, span: Span, message: string, help: string): void => {
    sound = false;
    check.report(code, span, message, help);
  };
  for (const entry of node.entries) {
    const type = patternFields.find((f) => f.name === entry.key)?.type;
    if (type === undefined)
      report("HW101", entry.keySpan, `a pattern has no field \`${entry.key}\``, didYouMean(entry.key, known));
    else if (type === "list(regex)") exceptionsOf(entry.value, check, report);
    else if (type === "raw" ? !isText(entry.value) : !isAmount(entry.value, type === "int")) {
      const [wanted, help] = type === "raw" ? ["text", "quote it"] : amounts[type === "int" ? "int" : "number"];
      const isNumber = entry.value.kind === "scalar" && typeof entry.value.value === "number";
      const advice = isNumber ? "write a number in this range" : help;
      report("HW102", entry.value.span, `\`${entry.key}\` of a pattern must be ${wanted}`, advice);
    }
  }
  for (const field of patternFields.filter((f) => f.required && !node.entries.some((e) => e.key === f.name))) {
    report("HW103", node.entries[0]?.keySpan ?? node.span, `a pattern needs \`${field.name}\``, lowerFirst(field.doc));
  }
  const regex = node.entries.find((e) => e.key === "regex")?.value;
  if (regex && isText(regex)) reportRegex(regex, check, report);
  return sound;
}

const amounts = {
  int: ["a whole number from 0 to 999", "write it without quotes"],
  number: ["a number from 0 to 16", "write it without quotes, such as `3.5`"],
} as const;

function isAmount(node: YamlNode, whole: boolean): boolean {
  const value = node.kind === "scalar" ? node.value : undefined;
  if (typeof value !== "number" || !(value >= 0)) return false;
  return whole ? Number.isSafeInteger(value) && value <= 999 : value <= 16;
}

function exceptionsOf(node: YamlNode, check: ActionCheck, report: ActionCheck["report"]): void {
  const items = node.kind === "list" ? node.items : [];
  if (items.length === 0 || !items.every(isText))
    report("HW102", node.span, "`except` of a pattern must be a list of texts", "write `except: ['…']`");
  for (const item of items) if (isText(item)) reportRegex(item, check, report);
}

/** Names of known secrets: a list of variables, an absolute path, or both. */
function valuesOf(node: YamlNode, check: ActionCheck): Json | undefined {
  const help = "write `values: { env: [NAME], file: /path }`";
  const env = child(node, "env");
  const file = child(node, "file");
  if (node.kind !== "map" || !(env || file)) {
    check.report("HW102", node.span, "`values` of `redact` must name variables in `env`, or a `file`", help);
    return undefined;
  }
  for (const { key, keySpan } of node.entries) {
    if (key !== "env" && key !== "file")
      check.report("HW101", keySpan, `\`values\` has no field \`${key}\``, didYouMean(key, ["env", "file"]));
  }
  const names = env ? strings(env) : [];
  if (env && (env.kind !== "list" || names.length !== env.items.length || names.length === 0))
    check.report("HW102", env.span, "`env` of `values` must be a list of names", "write `env: [NAME]`");
  for (const { value, node: item } of names) {
    if (!/^[A-Za-z_]\w{0,127}$/.test(value))
      check.report(
        "HW104",
        item.span,
        `\`${value}\` is no name of a variable`,
        "write it without `$` and without its value",
      );
  }
  const path = file && text(file);
  if (file && !(path !== undefined && isAbsolutePath(path)))
    check.report(
      "HW104",
      file.span,
      "`file` of `values` must be an absolute path",
      "write it whole, such as `/etc/agent/secrets`",
    );
  return { ...(env && { env: names.map(({ value }) => value) }), ...(path !== undefined && { file: path }) };
}

/** As POSIX systems or Windows write it. */
function isAbsolutePath(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/])/.test(path) && !/[\0\r\n]/.test(path);
}

function reportRegex(node: YamlScalar, check: ActionCheck, report: ActionCheck["report"]): void {
  const compiled = check.regex.compile(text(node) ?? "");
  if (!("kind" in compiled)) return;
  const inner = scalarSource(check.source, node);
  const at = compiled.offset;
  const span = at === undefined ? node.span : inner.toFile({ start: at, end: compiled.end ?? at + 1 });
  const [problem = "", ...advice] = compiled.message.split("; ");
  report(
    "HW307",
    span,
    `regular expression refused: ${problem}`,
    advice.join("; ") || "write it in RE2 syntax, which has no look-around and no back-references",
  );
}

function labelsOf(action: string, parameter: ActionParameter, node: YamlNode, check: ActionCheck): Json | undefined {
  for (const { value, node: item } of strings(node)) check.label(value, item.span);
  return listOf(action, parameter, node, check);
}

/** Checks a program with its arguments. A file inside the workspace comes with the repository, so anyone may have written it. */
function commandOf(action: string, parameter: ActionParameter, node: YamlNode, check: ActionCheck): Json | undefined {
  const words = listOf(action, parameter, node, check);
  const [program] = strings(node);
  if (words === undefined || !program) return undefined;
  if (program.value === "")
    check.report("HW104", program.node.span, "a program needs a name", "write its absolute path");
  return words;
}

function protocolOf(node: YamlNode): Json | undefined {
  const plain = text(node);
  if (plain === "json" || plain === "exit_code") return plain;
  const dialect = node.kind === "map" && node.entries.length === 1 ? text(child(node, "exit_code")) : undefined;
  return dialect === "claude" || dialect === "opta" ? { exit_code: dialect } : undefined;
}

const forbidden: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

/** Values by name: a text becomes a template named `parameter.name`, anything else is a constant. */
export function templatesOf(
  action: string,
  parameter: ActionParameter,
  node: YamlNode,
  templates: Record<string, Template>,
  check: ActionCheck,
): Json | undefined {
  if (node.kind !== "map") {
    const help = `write \`${parameter.name}: { name: value }\``;
    check.report("HW102", node.span, `\`${parameter.name}\` of \`${action}\` must be a mapping`, help);
    return undefined;
  }
  const constants: Record<string, Json> = {};
  for (const { key, keySpan, value } of node.entries) {
    if (forbidden.has(key))
      check.report("HW104", keySpan, `\`${key}\` cannot be set`, "choose the name of an argument");
    else if (isText(value)) templates[`${parameter.name}.${key}`] = check.template(value);
    else constants[key] = toValue(value) as Json;
  }
  return constants;
}
