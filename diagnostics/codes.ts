/** How bad a finding is: an error forbids loading, a warning is advice, an info only tells. */
export type Severity = "error" | "warning" | "info";

interface CodeEntry {
  readonly severity: Severity;
  /** What the code stands for, as the title of its page in `docs/reference/codes`. */
  readonly title: string;
}

const error = (title: string): CodeEntry => ({ severity: "error", title });
const warning = (title: string): CodeEntry => ({ severity: "warning", title });

/**
 * The closed list of diagnostic codes. A code is never reused for another meaning.
 * 0xx files · 1xx shape · 2xx expression syntax · 3xx names and types · 4xx rules · 5xx run time ·
 * 6xx lints · 7xx command line and audit.
 */
export const codes = {
  HW001: error("policy file cannot be read"),
  HW002: error("policy file is empty"),
  HW003: error("file is not UTF-8 text"),
  HW004: error("file is too large"),
  HW005: error("YAML syntax error"),
  HW006: error("several YAML documents"),
  HW007: error("YAML tag"),
  HW008: error("YAML alias, anchor or merge key"),
  HW009: error("duplicate key"),
  HW010: error("nested too deep or too many nodes"),
  HW011: error("plain scalar trap"),
  HW012: error("no policy found"),

  HW101: error("unknown key"),
  HW102: error("wrong type"),
  HW103: error("missing key"),
  HW104: error("value not allowed here"),
  HW105: error("unknown operator or action"),

  HW201: error("expression syntax error"),
  HW202: error("invalid character or literal in expression"),
  HW203: error("expression too large or nested too deep"),
  HW204: error("not in the CEL subset"),
  HW205: error("invalid text template"),

  HW301: error("unknown name"),
  HW302: error("unknown field"),
  HW303: error("unknown function"),
  HW304: error("type mismatch"),
  HW305: error("comparison can never hold"),
  HW306: error("optional field without a guard"),
  HW307: error("regular expression refused"),
  HW308: error("invalid pattern or literal for this operator"),
  HW309: error("`exists` over effects where `each` is needed"),
  HW310: error("condition refers to itself"),
  HW311: error("`allow` rests on the absence of a taint"),

  HW401: error("duplicate id"),
  HW402: error("action not possible for this event"),
  HW403: error("example does not hold"),
  HW404: error("unknown rule, list, parameter or condition"),
  HW405: error("import cannot be used"),
  HW406: error("exception without effect"),
  HW407: error("unknown event"),
  HW408: error("unknown detector"),
  HW409: error("test suite case failed"),
  HW410: error("unknown label"),
  HW411: error("exception for a rule of a higher scope"),

  HW501: error("event does not fit its schema"),
  HW502: error("condition could not be evaluated"),
  HW503: error("step budget used up"),
  HW504: error("payload over a bound"),
  HW505: error("payload did not settle"),
  HW506: error("internal error"),
  HW507: error("text could not be scanned"),
  HW508: error("plan cannot be used"),
  HW509: error("audit trail cannot be written"),
  HW510: error("human did not approve"),
  HW511: error("call was changed after it was judged"),
  HW512: error("hook module failed"),
  HW513: error("program of a rule failed"),
  HW514: error("rules disagree on a change"),
  HW515: error("session state cannot be used"),

  HW601: warning("bash rule without `user_bash`"),
  HW602: warning("alias where a canonical name exists"),
  HW603: warning("rule without reason"),
  HW604: warning("expired exception"),
  HW605: warning("unused list, parameter or condition"),
  HW606: warning("no effect before the project is trusted"),
  HW607: warning("host cannot enforce a rule"),
  HW608: warning("host enforces a rule in a weaker form"),

  HW701: error("usage"),
  HW702: error("file cannot be written"),
  HW703: error("event file cannot be read"),
  HW704: error("audit file cannot be checked"),
  HW705: error("file cannot be imported"),
  HW706: error("a human's decision is needed"),
  HW707: error("configuration of a host cannot be changed"),
} as const satisfies Record<string, CodeEntry>;

/** A code of the closed list. */
export type Code = keyof typeof codes;
