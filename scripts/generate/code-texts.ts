import type { Code } from "../../diagnostics/codes.ts";

/** Texts of a code's page besides its examples. */
export interface CodeText {
  /** When it is raised, and why it is. */
  readonly means: string;
  /** The remedy. */
  readonly next: string;
  /** Correction of the first example of `test/fixtures/codes/`: a text and its replacement. */
  readonly mend?: readonly [from: string, to: string];
}

/** Codes of files, shape and syntax (HW0xx to HW2xx). */
export const fileTexts: Partial<Record<Code, CodeText>> = {
  HW001: {
    means: "A file that was named is not there, is no regular file, or may not be read by this user.",
    next: "Check the path; the help line names the nearest file that exists. A policy that cannot be read is never skipped in silence.",
  },
  HW002: {
    means:
      "The file holds nothing, or nothing but comments. An empty policy would protect nothing and look as if it did.",
    next: "Start with `version: 1`, `policy: <id>` and `rules:`.",
    mend: ["# nothing here yet\n", "version: 1\npolicy: p\nrules: []\n"],
  },
  HW003: {
    means: "The file holds bytes that are no UTF-8, or control characters.",
    next: "Save it as UTF-8 text. A control character in a value is written as an escape in double quotes.",
  },
  HW004: {
    means: "The file is larger than a policy may be (1 MiB).",
    next: "Split it into several policies and import them.",
  },
  HW005: {
    means: "The file is no YAML.",
    next: "Look at quotes, brackets and indentation round the place, and indent with spaces.",
    mend: ["rules: [\n", "rules: []\n"],
  },
  HW006: {
    means: "A policy file is one YAML document; what stands behind `---` would be overlooked by other tools.",
    next: "Keep one document to a file.",
    mend: ["---\nversion: 1\n", ""],
  },
  HW007: {
    means: "Tags make other types of values, in some programs even code. A policy needs none.",
    next: "Remove the tag.",
    mend: ["!!python/object environment", "environment.interactive"],
  },
  HW008: {
    means: "Merge keys, and aliases that lead nowhere, to themselves or to too much, are not allowed.",
    next: "Repeat the value, or give it a name under `lists` or `conditions`.",
    mend: ["<<: *a\n", ""],
  },
  HW009: {
    means: "A key stands twice in one mapping; readers differ in which of the two they take.",
    next: "Remove one of the two.",
    mend: ["policy: q\n", ""],
  },
  HW010: {
    means: "The document is nested deeper, or has more nodes, than a policy may have.",
    next: "Flatten it, give parts names under `conditions`, or split the file.",
    mend: ["[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]", "[]"],
  },
  HW011: {
    means:
      "YAML takes a part of a plain value for its own: ` #` for a comment, `!` for a tag, `: ` for the end of a key.",
    next: "Quote the text, or write it after `|`.",
    mend: ["args.command == # note", "'args.command == \"# note\"'"],
  },
  HW012: {
    means: "Nothing that was named holds a policy.",
    next: "A policy is a `*.yaml` file, or `<folder>/policy.yaml` one level down; `*.test.yaml` are suites.",
  },
  HW013: {
    means:
      "The policies are larger together than they may be, so that a hook could not compile them in time: by files, bytes, rules, named conditions, patterns, or the work of compiling. A project that nobody has trusted has smaller bounds, because anyone may have written its policies.",
    next: "Make them smaller or fewer. For a project, look at them and run `hookwarden trust`: a trusted project has the bounds of a user.",
  },
  HW014: {
    means: "Nothing that was named holds a suite, so that nothing was tested.",
    next: "A suite is a `*.test.yaml` file. `hookwarden init` and `hookwarden new policy <id>` write one beside a new policy; `hookwarden check` runs the examples of rules without one.",
  },
  HW101: {
    means:
      "A key that the policy format does not have. It is an error because a mistyped key would switch a protection off.",
    next: "Correct the key; the help line names the nearest one.",
    mend: ["rulez: []\n", ""],
  },
  HW102: {
    means: "A value of another type than its key takes.",
    next: "Write a value of that type.",
    mend: ["policy: [p]", "policy: p"],
  },
  HW103: {
    means: "A key without which the rule or policy means nothing is missing.",
    next: "Add the key.",
    mend: ["    action: block", "    event: tool_call\n    action: block"],
  },
  HW104: {
    means: "A value that its key does not take.",
    next: "Write one of the values that the help line names.",
    mend: ["hgih", "high"],
  },
  HW105: {
    means: "There is no operator or action of that name.",
    next: "Correct the name; `docs/reference/conditions.md` and `actions.md` have them all.",
    mend: ["contain: x", "contains: x"],
  },
  HW201: {
    means: "The expression cannot be parsed.",
    next: "Look at the place that is marked: what was expected there and what was found is in the message.",
    mend: ["&& environment.interactive", "environment.interactive"],
  },
  HW202: {
    means: "A character or literal that expressions do not have, most often an escape that does not exist.",
    next: 'Write `\\\\` for a backslash, or a raw string: `r"…"`.',
    mend: ["b\\qash", "bash"],
  },
  HW203: {
    means: "The expression is longer or nested deeper than one may be.",
    next: "Use `in` with a list for long chains, and name parts under `conditions`.",
    mend: [`${"(".repeat(120)}true${")".repeat(120)}`, "environment.interactive"],
  },
  HW204: {
    means: "CEL has it, and the subset of this policy language does not.",
    next: "Write what the help line says; `docs/reference/cel.md` lists the differences.",
    mend: ['b"bash"', '"bash"'],
  },
  HW205: {
    means: "A text with `{…}` in it cannot be read as a template.",
    next: "Close the brace, or write `{{` for a brace that is meant.",
    mend: ["{tool.name'", "{tool.name}'"],
  },
};

/** Codes of names, types and rules (HW3xx, HW4xx), and of lints that the compiler itself raises. */
export const ruleTexts: Partial<Record<Code, CodeText>> = {
  HW301: {
    means: "No event of the rule has this name. A name that only some of its events have is unknown too.",
    next: "Correct the name, or make a rule of its own for the events that have it.",
    mend: ["tol.name", "tool.name"],
  },
  HW302: {
    means: "The value has no such field.",
    next: "Correct the field; `docs/reference/conditions.md` has them all.",
    mend: ["environment.cwdd", "environment.cwd"],
  },
  HW303: {
    means: "There is no function of that name.",
    next: "Correct the name; `docs/reference/functions.md` has them all.",
    mend: ["startWith", "startsWith"],
  },
  HW304: {
    means: "A value of another type than the operator or function takes.",
    next: "Write a value of a type that the help line names.",
    mend: ["contains: 3", 'contains: "3"'],
  },
  HW305: {
    means: "The two sides have no value in common: a fixed set of values, or types that never compare as equal.",
    next: "Compare with a value that the field can have.",
    mend: ["upwards", "upload"],
  },
  HW306: {
    means: "In an expression, a field that may be absent would make the condition an error where it is.",
    next: "Ask with `has(…)` first, or say with `orValue` what absence means. A YAML test needs no guard.",
    mend: ["'environment.branch == \"main\"'", '\'environment.?branch.orValue("") == "main"\''],
  },
  HW307: {
    means:
      "Patterns are RE2, which has no look-around and no back-references, and which bounds size, so that judging takes linear time.",
    next: "Rewrite the pattern as the help line says.",
    mend: ["'rm(?!dir)'", "'rm( |$)'"],
  },
  HW308: {
    means:
      "The value means nothing for this operator: a class that does not exist, a glob that is compared letter by letter, no address range.",
    next: "Write a value of the form that the help line shows, or use another operator.",
    mend: ["{ in: ['*.pem'] }", "{ glob: ['*.pem'] }"],
  },
  HW309: {
    means:
      "In an allow, `unless` or exception, `exists` over effects would wave everything else in the call through as well.",
    next: "Bind the element with `each`, and test that element.",
    mend: [
      "    unless: 'effects.writes.exists(w, w.path.is(\"temp\"))'",
      "    each: { w: effects.writes }\n    unless: { w.path: { is: temp } }",
    ],
  },
  HW310: {
    means: "A condition refers to itself, directly or through others.",
    next: "Take the reference out.",
    mend: ["b: $a", "b: environment.interactive"],
  },
  HW311: {
    means: "That a taint is not there proves nothing: what would have set it may not have been seen.",
    next: "Allow without it, and let a rule of its own ask or block where the session has the taint.",
    mend: ["{ not: { session.labels: { contains: untrusted } } }", "{ args.command: ls }"],
  },
  HW312: {
    means:
      "Tests that stand together must all hold, and these exclude each other: two values at once, a test beside its own negation, bounds that leave nothing, the name of a tool that the rule is not for. Named conditions count as what they stand for.",
    next: "Write `any:` where one of them is enough, or take one out.",
    mend: ["{ environment.branch: main }\n        - { environment.branch: release }", "{ environment.branch: main }"],
  },
  HW313: {
    means:
      "A list or map that is written out has no such item, so that the condition is an error whenever it is judged; or no pattern of the rule has the group that a text cites.",
    next: "Count from 0, or add the item. Groups count from 1, and 0 is the whole match.",
    mend: ["[1]", "[0]"],
  },
  HW401: {
    means: "Two rules of a policy, or two policies of a scope, have one id, or two names mean the same.",
    next: "Give each its own.",
    mend: ["block\n    reason: no\n  - id: r\n", "block\n    reason: no\n  - id: other\n"],
  },
  HW402: {
    means: "The host cannot do this on that event: what has already happened cannot be blocked.",
    next: "Use an event on which the action is possible; `docs/reference/actions.md` has the table.",
    mend: ["event: tool_result", "event: tool_call"],
  },
  HW403: {
    means: "A `match` that the rule does not match, or a `no_match` that it does.",
    next: "Run `hookwarden explain` with the example: it shows every condition with its value.",
    mend: ["match: [ls], no_match: [git status]", "match: [git status], no_match: [ls]"],
  },
  HW404: {
    means: "A reference to a rule, list, parameter or condition that is not there.",
    next: "Correct the name, or define it.",
    mend: ["$allowd", "$allowed"],
  },
  HW405: {
    means: "An import that is not there, that leads out of its folder, or that itself has an error.",
    next: "Check the name of the pack or the path, which is resolved beside the importing file.",
    mend: ["imports: [{ file: ./other.yaml }]\n", ""],
  },
  HW406: {
    means: "Every rule that the exception names is switched off, so that it waives nothing.",
    next: "Remove the exception, or switch the rule on.",
    mend: ["enabled: false, ", ""],
  },
  HW407: {
    means: "No host has an event of that name.",
    next: "Correct the name; `docs/reference/events.md` has them all.",
    mend: ["tool_cal\n", "tool_call\n"],
  },
  HW408: {
    means: "There is no detector of that name.",
    next: "Correct the name; `docs/reference/detectors.md` has them all.",
    mend: ["secrets/aws-acess-key", "secrets/aws-access-key"],
  },
  HW409: {
    means: "A case of a suite came out otherwise than it expects.",
    next: "Run `hookwarden explain` with the event of the case; change the rule, or the expectation if the rule is right.",
  },
  HW410: {
    means: "No policy of the set declares a label of that name.",
    next: "Correct the name, or declare it under `labels`.",
    mend: ["[untrused]", "[untrusted]"],
  },
  HW411: {
    means:
      "An exception reaches rules of its own scope or a lower one: a repository cannot waive what a user or an administrator decided.",
    next: "Ask who owns that policy.",
    mend: ["exceptions:\n  - rules: [self-protection/*]\n    owner: platform\n    reason: in the way\n", ""],
  },
  HW412: {
    means:
      "A tool matcher names a tool that no host has, or a glob that no tool is like. Canonical tools, tools that hosts bring along, and `mcp__server__tool` are known; a tool of one's own is declared.",
    next: "Write the canonical name, `mcp__server__*` for the tools of a server, a list for several; or declare the tool: `tools: [deploy_app]`.",
    mend: ["tool: bsh", "tool: bash"],
  },
  HW413: {
    means:
      "A rule fires when `when` holds and `unless` does not; where `unless` asks for no more than `when` does, it never fires.",
    next: "Take the test out of one of them, or say in `unless` what is different.",
    mend: ["    unless: { environment.interactive: false }\n", ""],
  },
  HW414: {
    means:
      "The program of a `run` can never start: the rule blocks, and a blocked call needs no program's answer; or nothing is called like that, since no shell reads the command.",
    next: "Let the program decide without `block`, and write a command as a list of words with a name or an absolute path first.",
    mend: ["action: [block, { run: { command: [/usr/local/bin/tell], background: true } }]", "action: block"],
  },
  HW415: {
    means:
      "Two policies of a set declare one program or tool, and not alike; or two programs have one alias. A declaration only adds: none replaces another, so that no file changes what somebody else said of a program.",
    next: "Make both declarations alike, or leave one out. A declaration that only names a program says nothing and is alike to any.",
    mend: ["ship: { aliases: [./bin/go-live] }", "ship: { aliases: [./bin/ship] }"],
  },
  HW417: {
    means:
      "A text of an effect asks for the value of an option that the declaration does not have, or that is a flag. Such a text could never be known.",
    next: "Declare the option under `options` as `value`, or correct its spelling.",
    mend: ["option('--enb')", "option('--env')"],
  },
  HW418: {
    means:
      "A declaration has more aliases, options, effects or text than one program has. A bound keeps every call cheap to read.",
    next: "Declare fewer, or split the program into several.",
    mend: [", d32]", "]"],
  },
  HW601: {
    means:
      "A rule for `tool: bash` on `tool_call` does not see what a human types with `!`; shipped shell rules name both events.",
    next: "Add `user_bash` to `event`. If the rule is meant for the agent only, say so with an ignore comment and its reason. There is no `--fix`: whether the human's own commands are blocked as well is not for a program to decide.",
    mend: ["event: tool_call", "event: [tool_call, user_bash]"],
  },
  HW419: {
    means:
      "An `unless` or exception takes away from what `when` asks for. Where its tests exclude those of `when`, there is nothing to take away, and what was meant is not waived.",
    next: "Name a part of what `when` names, or take the test out.",
    mend: ["within: docs", "within: deploy/docs"],
  },
  HW420: {
    means:
      "A rule for some tools asks for facts that their calls never have: only shells and code have commands, a read deletes nothing, a fetch installs nothing. The rule never fires.",
    next: "Take the tool out, so that the rule is about whatever tool or command has the effect, or name a tool that has it.",
    mend: ["    tool: write\n", ""],
  },
  HW602: {
    means:
      "Events and tools have one canonical name. Aliases work, but two spellings of one thing hide a rule from a search.",
    next: "Write the canonical name; `--fix` and `hookwarden fmt` do it.",
    mend: ["PreToolUse", "tool_call"],
  },
  HW603: {
    means: "A decision without a reason leaves the model guessing, and the human who is asked as well.",
    next: "Add `reason:`.",
    mend: ["    action: block\n", "    action: block\n    reason: nothing runs here\n"],
  },
  HW606: {
    means:
      "A project's policy comes with the repository, hence from anyone. Until a human trusts its bytes it can only tighten; [Actions](../actions.md) has a table of what that leaves of each action.",
    next: "Look at the policy, then run `hookwarden trust` on it.",
    mend: [
      '  - { id: tell, event: before_agent_start, action: { inject: { content: Run the tests. } } }\n  - { id: hide, event: tool_call, tool: bash, action: { redact: { detectors: ["secrets/*"], before_guards: true } } }\n  - { id: clear, event: tool_call, tool: fetch, action: { ask: { clears: [untrusted], remember: session } }, reason: sure? }\n  - { id: words, event: [tool_result, context], action: { redact: { patterns: [{ name: x, regex: "a+", replacement: b }] } } }\n  - { id: file, event: tool_call, tool: write, action: { label: { add: [untrusted], on: path } } }\n',
      "  - { id: mark, event: tool_call, tool: fetch, action: { label: { add: [untrusted] } } }\n",
    ],
  },
  HW607: {
    means:
      "The host named with `--host` does not deliver the event, or has no way to do what the rule does. Nothing is dropped in silence.",
    next: "Use an event that the host delivers, or another host; `docs/reference/hosts.md` has them all.",
  },
  HW608: {
    means: "The host does a weaker form of what the rule says, e.g. it blocks where it cannot ask.",
    next: "Accept it, or see `docs/reference/hosts.md` for a host that honours it in full.",
  },
  HW609: {
    means:
      "A comment `# hookwarden-ignore` ignores lints only with their codes and a reason. One without ignores nothing.",
    next: "Write `# hookwarden-ignore HW…: reason` on the line of the finding, above it, or before the first key for the whole file.",
  },
  HW610: {
    means: "There is nothing at this place for the comment to ignore. It would hide the next finding that comes there.",
    next: "Take the comment out.",
  },
  HW673: {
    means:
      "`check --thorough` wrote an example in another way that is the same call, such as behind `sudo sh -c`, through a variable of known value or with quotes. The rule lets that through, or only asks where it blocks the example. So the rule is about a spelling and not about what the call does.",
    next: "Test the effect, the program or the option instead of the text. The help line has the call; `hookwarden explain` shows every condition for it.",
    mend: ['c.text.startsWith("npm publish")', "{ c.program: npm, c.subcommand: publish }"],
  },
  HW674: {
    means:
      "`check --thorough` left a part of an example open, or took a folder above its path, and the rule does nothing about that. What restricts must hold if it may be true, at least by asking.",
    next: "Test what the call does (`effects`) and not its words. Where such a call is to pass, say so: `unsure: ignore`, or `# hookwarden-ignore HW674: reason` at the example.",
    mend: ['args.command.contains("production")', 'c.operands.exists(o, o != "staging")'],
  },
  HW675: {
    means:
      "`check --thorough` left parts of examples open, and the rule does nothing about those calls, because it says `unsure: ignore`.",
    next: "Nothing, if that is what you want. With `unsure: ask` a human is asked.",
    mend: ["    unsure: ignore\n", ""],
  },
  HW677: {
    means:
      "Inside `some`, `every` and `none` a word that is an operator is the operator. `size` is how many characters or items the element has, and no field of it that is called so.",
    next: "Write an expression: `list.exists(x, x.size == 3)` for the field, `list.exists(x, size(x) == 3)` for the size.",
    mend: ["{ some: { args.items: { size: 3 } } }", '"args.items.exists(x, x.size == 3)"'],
  },
};
