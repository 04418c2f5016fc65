/** Other systems' words for ours, by our word: names of actions, events, keys, operators and their values. */
const ours: Readonly<Record<string, string>> = {
  // Actions.
  block:
    "deny denied reject refuse forbid forbidden prohibit disallow prevent stop abort fail error fatal kill quarantine halt veto drop_call",
  ask: "confirm confirmation prompt approve approval require_approval review escalate question user_confirm human interactive",
  allow: "permit accept pass grant approve_always whitelist allowlist continue ok safe trust",
  redact: "mask scrub sanitize sanitise censor hide anonymize anonymise obfuscate pseudonymize conceal tokenize",
  modify: "rewrite replace change transform edit patch mutate alter update substitute update_input updated_input",
  truncate: "cut shorten trim clip limit_output max_output",
  drop: "remove delete discard filter strip",
  inject: "append prepend add_context additional_context context remind instruct system_message suggest",
  run: "exec execute command script shell program call webhook",
  label: "tag taint classify flag",
  notify: "warn warning alert inform tell toast message notification",
  record: "log audit trace report observe store",
  // Events.
  tool_call:
    "before_tool before_tool_call pre_tool on_tool_call tool tool_use toolcall tool_start before_tool_use on_tool_start call request tool_request",
  tool_result:
    "after_tool after_tool_call post_tool on_tool_result tool_response tool_output tool_end after_tool_use on_tool_end result response",
  input: "prompt user_prompt user_message user_input on_prompt before_prompt query user",
  session_start: "session_begin session_created on_start start begin new_session",
  session_shutdown: "session_end session_stop shutdown exit quit on_exit",
  session_before_compact: "compact before_compact pre_compaction compaction",
  agent_end: "finish finished done complete completed",
  // Keys.
  when: "if condition conditions where match matches filter on_match test expression expr cond predicate",
  unless: "except exclude excluding exclusion if_not not_when when_not ignore_if skip_if but_not",
  event: "on events hook hooks trigger triggers hook_event hook_event_name hookeventname phase",
  tool: "tools tool_name toolname tool_names toolnames applies_to",
  action: "effect verdict decision outcome then do actions result behavior behaviour on_violation response permission",
  reason: "message msg why explanation rationale text error_message description_text deny_message",
  guidance: "hint fix remediation suggestion advice help alternative instead recommendation resolution",
  severity: "priority risk criticality importance risk_level",
  id: "name rule_id key slug identifier rule",
  policy: "name id policy_id policy_name",
  title: "summary label_text display_name",
  rules: "policies rule checks statements",
  examples: "tests test cases samples fixtures",
  match: "positive should_match positives bad true_positives matching",
  no_match: "negative should_not_match negatives good true_negatives not_matching nomatch",
  parameters: "variables vars params arguments inputs settings options",
  imports: "include includes extends uses packs import inherits require requires",
  each: "foreach for_each for loop every element iterate",
  enabled: "disabled active enable",
  references: "refs links urls reference",
  exceptions: "exemptions waivers exclusions ignores allowlist whitelist skip overrides suppressions",
  default: "default_action fallback default_decision otherwise else",
  expires: "until expiry expires_at expiration valid_until ends",
  lists: "sets constants data groups",
  // Values.
  monitor: "audit dry_run dryrun log observe warn shadow permissive passive report test off disabled",
  enforce: "enforcing active block deny on strict enabled",
  high: "error severe major serious",
  medium: "warning warn moderate normal",
  low: "minor notice",
  critical: "fatal blocker emergency",
  info: "informational information note none debug hint",
  upload: "out outbound egress send sent outgoing push",
  download: "in inbound ingress receive incoming pull",
  both: "any all bidirectional either",
  private: "internal intranet lan local_network rfc1918",
  loopback: "localhost local self",
  metadata: "imds cloud_metadata instance_metadata",
  secret: "credentials credential sensitive secrets key keys private_key token",
  temp: "tmp temporary",
  workspace: "repo project repository",
  linux: "ubuntu debian alpine fedora unix posix arch redhat centos",
  // Operators.
  equals: "eq equal is_equal == = equal_to exact same",
  not_equals: "ne neq not_equal != differs is_not",
  in: "one_of any_of oneof anyof is_in among values",
  not_in: "none_of not_one_of nin notin",
  contains: "includes include has substring contain",
  starts_with: "startswith prefix begins_with has_prefix starts",
  ends_with: "endswith suffix has_suffix ends",
  matches: "regex regexp pattern re match like regex_match",
  glob: "wildcard fnmatch path_match",
  present: "exists defined is_set has_value not_null",
  within: "inside under beneath in_folder in_dir in_directory below_folder descendant_of child_of",
  has_option: "flag option has_flag with_flag",
  is: "class is_a of_class",
  lt: "less less_than < below",
  le: "lte less_or_equal <= at_most max",
  gt: "greater greater_than > above more_than",
  ge: "gte greater_or_equal >= at_least min",
  all: "and all_of allof every",
  any: "or any_of anyof some_of either",
  not: "none negate no none_of",
};

/** Every word of ours that has other names. */
export const ownWords: readonly string[] = Object.keys(ours);

/** Our words by each foreign word, in the order of the table. */
const byOther: ReadonlyMap<string, readonly string[]> = (() => {
  const found = new Map<string, string[]>();
  for (const [own, others] of Object.entries(ours))
    for (const other of others.split(" ")) found.set(other, [...(found.get(other) ?? []), own]);
  return found;
})();

/** Returns the known word for another system's word: `deny` is `block` among actions. Case and the marks between words do not count. */
export function ownWord(given: string, known: readonly string[]): string | undefined {
  const word = given
    .trim()
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .replace(/[\s-]+/g, "_")
    .toLowerCase();
  return known.includes(word) ? undefined : byOther.get(word)?.find((own) => known.includes(own));
}
