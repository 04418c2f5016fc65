import { parseTarget } from "../../facts/network/url.ts";
import { isWhole, type WrongShape, without } from "./wrong-shape.ts";

/** Forms that the host of a URL never has. */

const exact: ReadonlySet<string> = new Set(["equals", "in", "starts_with", "ends_with", "contains", "glob"]);

/** Finds a range of addresses, which only `cidr` compares with. */
function range(text: string): WrongShape | undefined {
  if (!/^(?:\d{1,3}(?:\.\d{1,3}){3}|\[?[0-9a-f:]*:[0-9a-f:.]*\]?)\/\d{1,3}$/i.test(text)) return undefined;
  const written = text.includes(":") ? `"${text.replace(/[[\]]/g, "")}"` : text;
  return { why: "that is a range of addresses, and no host", help: `write \`{ cidr: ${written} }\`` };
}

/** Returns the fault of a host: as a whole, a part, or one that `host_in` takes, which folds letter case. */
export function hostShape(field: string, text: string, operator: string): WrongShape | undefined {
  if (operator === "host_in" || operator === "lookalike_of") return listedHost(text, operator);
  if (field !== "url.host" || !exact.has(operator)) return undefined;
  return (
    range(text) ??
    address(text, operator) ??
    whole(text, operator) ??
    (isWhole(operator) ? dotted(text) : undefined) ??
    (operator === "starts_with" || operator === "contains"
      ? undefined
      : without(text, /[a-z0-9]\.$/i, text.slice(0, -1), "a host has no dot at its end")) ??
    without(text, /\//, hostIn(text), "a host has no path") ??
    without(text, /[A-Z]/, text.toLowerCase(), "hosts are in lower case")
  );
}

/** Finds an address in another form than facts have: in brackets, with zeros, or with fewer numbers. */
function address(text: string, operator: string): WrongShape | undefined {
  const [, inner, , port] = /^\[([0-9a-f:.]*:[0-9a-f:.]*)(\]?)(?::(\d+))?$/i.exec(text) ?? [];
  const bare = inner ?? (isWhole(operator) && isAddressText(text) ? text : undefined);
  if (bare === undefined) {
    const cut = text.replace(/[[\]]/g, "");
    return operator === "glob" || cut === text ? undefined : without(text, /[[\]]/, cut, noBrackets);
  }
  const whole = parseTarget(`http://${bare.includes(":") ? `[${bare}]` : bare}/`)?.host ?? "";
  const instead = isWhole(operator) && whole !== "" ? whole : bare.toLowerCase();
  if (instead === text) return undefined;
  const written = instead.includes(":") ? `"${instead}"` : instead;
  const beside = port === undefined ? "" : `, and \`port: "${port}"\` beside it`;
  const why = inner === undefined ? "facts have each address in one form" : noBrackets;
  return { why, help: `write \`${written}\`${beside}`, ...(operator !== "glob" && port === undefined && { instead }) };
}

const noBrackets = "the brackets of a URL are no part of the host";

/** True for an address of any form: four numbers or fewer, in any base, or one of the newer kind. */
function isAddressText(text: string): boolean {
  return (
    /^(?:0x[0-9a-f]+|\d+)(?:\.(?:0x[0-9a-f]+|\d+)){0,3}$/i.test(text) || /^[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*$/i.test(text)
  );
}

/** Finds a domain with a leading dot, which means all its subdomains in other products. */
function dotted(text: string): WrongShape | undefined {
  const host = /^\.([\w-][\w.-]*)$/.exec(text)?.[1];
  const help = `write \`{ host_in: ${host} }\`, which covers all beneath it`;
  return host === undefined ? undefined : { why: "a host begins with no dot", help };
}

function whole(text: string, operator: string): WrongShape | undefined {
  if (!isWhole(operator)) return undefined;
  const [, host, port] = /^([^:/]+):(\d+)$/.exec(text) ?? [];
  if (host === undefined) return undefined;
  const instead = host.toLowerCase();
  return { why: "the port stands in `port`", help: `write \`${instead}\`, and \`port: "${port}"\` beside it`, instead };
}

/** Returns the host of an address that is given in place of a host. */
function hostIn(text: string): string {
  return (
    /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/@]*@)?(\*?[\w.-]+)/i.exec(text)?.[1] ??
    /^(\*?[\w.-]+\.[a-z]+)\//i.exec(text)?.[1] ??
    ""
  ).toLowerCase();
}

/** Returns the fault of an item of `host_in`, which compares hosts only and ignores all else in an address. */
function listedHost(text: string, operator: string): WrongShape | undefined {
  const beneath = dotted(text) ?? range(text);
  if (beneath) return beneath;
  if (/^[\w*.-]+(?:\s*,\s*[\w*.-]+)+$/.test(text))
    return { why: "that is one text and no list", help: `write the list \`[${text.split(/\s*,\s*/).join(", ")}]\`` };
  if (operator === "lookalike_of" && /^[a-z][\w-]*$/i.test(text) && text !== "localhost")
    return {
      why: "a host that others look like has a dot",
      help: `write \`${text.toLowerCase()}.com\`, or what follows the dot there`,
    };
  const bare = hostIn(text);
  if (/\/|\s/.test(text))
    return bare === ""
      ? { why: "a host has no path", help: "write the host alone" }
      : {
          why: `\`host_in\` looks at the host alone, \`${bare}\``,
          help: `write \`${bare}\``,
          instead: bare,
          seen: "in part",
        };
  const [, host, port] = /^([^:[\]]+):(\d+)$/.exec(text) ?? [];
  if (host === undefined) return undefined;
  const help = `write \`${host}\`, and test \`port: "${port}"\` beside it`;
  return { why: "`host_in` does not look at the port", help, instead: host, seen: "in part" };
}
