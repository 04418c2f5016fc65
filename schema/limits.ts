/**
 * Every bound of the engine, with its reason. A text, file or payload over a bound is refused or
 * answered on the strict side; nothing over a bound is ever skipped in silence.
 */
export const limits = {
  /** Bytes of one policy file: far above any hand-written policy, small enough to parse at once. */
  policyBytes: 1_048_576,
  /** Entries of one folder that are searched for policies: each costs disk access in every new session. */
  policyEntries: 1_024,
  /** Parent folders of the agent's working folder that are searched for the project's policies. */
  projectFolders: 256,
  /** Policy files of one set. */
  policyFiles: 256,
  /** Bytes of all policy files of one set: they are read and hashed for every session, by hooks that a human waits for. */
  policiesBytes: 8_388_608,
  /** Rules of one set. */
  policyRules: 50_000,
  /** Named conditions of one set. */
  policyConditions: 50_000,
  /** Programs and tools that one set declares. */
  policyDeclarations: 2_000,
  /** Instructions of all patterns of one set, each time that one is written counted. */
  policyPatterns: 10_000_000,
  /** Units of work that one set may cost to compile, some microseconds each: the largest pack takes 180,000. */
  policyWork: 30_000_000,
  /**
   * The same of a project's policies that no human has trusted: they come with a repository, hence from anyone, and must not
   * delay the answers of those who have it. Far above any written by hand; packs that they import count as work alone.
   */
  projectFiles: 64,
  projectBytes: 524_288,
  projectRules: 1_000,
  projectConditions: 1_000,
  projectDeclarations: 200,
  projectPatterns: 500_000,
  projectWork: 750_000,
  /** Depth of a YAML document: conditions nest, but not this deep by hand. */
  yamlDepth: 32,
  /** Aliases in a YAML document: enough for a shared list or two, too few for a bomb. */
  yamlAliases: 20,
  /** Nodes of a YAML document, aliases expanded: bounds the work of every later pass. */
  yamlNodes: 50_000,
  /** Files that one policy may import, directly or not. */
  imports: 64,
  /** UTF-16 units of one expression. */
  expressionLength: 65_536,
  /** Nesting of one expression: the parser and every pass recurse at most this deep. */
  expressionDepth: 100,
  /** Nesting of a named condition with the conditions it refers to in their places: checking and judging recurse that deep. */
  conditionDepth: 400,
  /** Other names, options and effects of one declared program or tool: a command has some ten of each. */
  declaredAliases: 32,
  declaredOptions: 256,
  declaredEffects: 32,
  /** UTF-16 units of one text of a declaration, its parts, and the number of the last operand that it may ask for. */
  declaredText: 2_048,
  declaredParts: 16,
  declaredOperand: 255,
  /** Texts that one declared text with several holes may expand to in one call: each operand with each value of an option, for example. */
  declaredTexts: 256,
  /** Texts that one partly known text may be: over it only what they have in common is known. */
  alternatives: 16,
  /** Unknown parts that a match names. */
  unknownCauses: 4,
  /** Steps that one rule may take on one payload revision (`language.md` section 3). */
  steps: 100_000,
  /**
   * Units of work (`facts/meter.ts`) that rules and transforms may take for one event, all readings and rounds together. A
   * unit is about fifty nanoseconds on the machine of the bench, so that this is less than half a second; the usual call takes some
   * thousands, a megabyte of log under `recommended` a hundred thousand. Over it the event is answered closed (HW516).
   */
  eventWork: 8_000_000,
  /** The same for rules in monitor mode, which may not close an event: over it, what they would have done is not reported. */
  monitorWork: 4_000_000,
  /**
   * The same for the facts about an event's secrets, and for those about its text, separately; over it they are reported as not
   * examined. Readings of a call share it, and so do its revisions.
   */
  textWork: 4_000_000,
  /** The same for masking what is recorded of an event; over it the event is withheld from its record. */
  recordWork: 4_000_000,
  /** UTF-16 units of a regular expression. */
  patternLength: 4_096,
  /** Instructions of a compiled regular expression, repeats multiplied: as many as RE2 compiles within its own memory bound. */
  patternSize: 130_000,
  /** Bytes of one event line given to `eval`. */
  eventBytes: 16_777_216,
  /** Depth of an event payload; a deeper one does not fit its schema. */
  payloadDepth: 128,
  /** Values (objects, arrays, scalars) in an event payload: objects with as many keys take a JSON parser a second. */
  payloadNodes: 250_000,
  /**
   * The same for an event of a tool. Each value is copied, read, masked and recorded, which takes up to 20 microseconds; messages
   * of a conversation take less, and a long session has more of them.
   */
  toolNodes: 131_072,
  /** UTF-16 units of text that one event may have scanned by detectors; more is withheld. */
  scanLength: 33_554_432,
  /**
   * UTF-16 units that patterns read of one text, each pattern for itself: so many, and so many for each unit of the text.
   * Logs take a fraction of a unit, a file of secrets takes six; text made of the keywords of all detectors takes twenty.
   */
  scanRead: 4_194_304,
  scanReadPerUnit: 12,
  /** UTF-16 units that the matches in one text have, and half the text more: tens of thousands of secrets. */
  scanMatched: 4_194_304,
  /** Secrets that the rules of a plan may name by `values`; each is looked for in some ten encodings. */
  knownValues: 1_024,
  /** Bytes of a file of secrets. */
  secretFileBytes: 1_048_576,
  /** Bytes of one file of a hook module: far above any that is written or bundled. */
  hookModuleBytes: 8_388_608,
  /** UTF-16 units of past messages whose redaction an engine caches, so that history is scanned once. */
  redactedHistory: 16_777_216,
  /** UTF-16 units of a shell command; longer is not understood. */
  shellLength: 65_536,
  /** Words, commands and expansions read in one shell text; more is not understood. */
  shellNodes: 20_000,
  /** Commands that one shell text may run, each round of a loop and call of a function counted; a script of 64 KB has some 1,600. */
  shellCommands: 2_048,
  /** Commands that are supposed for the unknown words of one call; the effects of more are not known. */
  suppositions: 256,
  /** Depth of shell texts inside shell texts (`sh -c`, `eval`). */
  shellNesting: 8,
  /** Words that one brace expansion may produce. */
  braceWords: 1_024,
  /**
   * Units of work (`facts/meter.ts`) that reading what one call does may take; a call that needs more is not understood. It takes
   * about a second of one processor; a typical call needs a ten-thousandth of it, and a script of the greatest length only a
   * part.
   */
  readingWork: 8_000_000,
  /** The same for finding the calls that its arguments carry: each of thousands of texts is read as a command, to see if it is one. */
  carriedWork: 1_500_000,
  /** Scripts on the disk that are read for one call, the bytes of each, and how deep one may run another. */
  standingScripts: 4,
  standingBytes: 65_536,
  standingDepth: 2,
  /** Units of work for reading one of them; nothing is known of one that needs more. */
  standingWork: 500_000,
  /** Effects listed for one call; more makes the call not understood. */
  effects: 4_096,
  /** Folders of one call whose content is looked up for floating tests; the content of more is not known. */
  trees: 8,
  /** Entries of one such folder that are read, including everything below: it takes milliseconds, and most projects have fewer. */
  treeEntries: 4_096,
  /** Paths that one such search returns. */
  treeFound: 64,
  /** Ignore files that one look reads, their bytes, and their lines; one that is over its bound ignores nothing. */
  ignoreFiles: 64,
  ignoreBytes: 65_536,
  ignoreLines: 512,
  /** Units of work (`facts/meter.ts`) that the looks for one payload may take: each entry is compared with each test. */
  treeWork: 1_000_000,
  /** Symbolic links followed for one path (as Linux does). */
  symlinks: 40,
  /** Readings of one call whose argument keys disagree; more is not worth a judgement of its own. */
  argumentViews: 16,
  /** Calls that the arguments of one call may carry; a batch that an agent writes has some ten. */
  carriedCalls: 64,
  /** Rounds of transforms before an event counts as not settling. */
  transformRounds: 3,
  /** UTF-16 units of an interpolated value in a reason, guidance or injected text. */
  interpolated: 200,
  /** UTF-16 units of injected text per rule. */
  injected: 16_384,
  /** Sessions whose state one engine remembers. */
  sessions: 1_000,
  /** Calls of a session's past that conditions can count; older ones are forgotten, newest first. */
  calls: 4_096,
  /** Labels of one session, and of one file; one more is an error that closes the event that adds it. */
  labels: 256,
  /** Files with labels that one session remembers. */
  labelledPaths: 4_096,
  /** Remembered approvals and open questions of one session; the oldest is forgotten, and asked again. */
  approvals: 1_024,
  /** Entries of one budget's window; older ones are joined, which only makes it stricter. */
  budgetEntries: 1_024,
  /** Buckets of all budgets of one session; beyond it the new ones of a rule are one, which only makes it stricter. */
  budgetBuckets: 1_024,
  /** UTF-16 units of a name from a payload (tool, agent, call, event) that a session remembers; a longer one is kept by its digest. */
  sessionName: 256,
  /** UTF-16 units of a path that a label is kept for, as systems open it; a label of a longer one holds for its folder. */
  labelledPath: 4_096,
  /** Ancestors of one session. */
  sessionDepth: 32,
  /** Bytes of a session's snapshot; a larger one is not read, and the state is rebuilt from the records. */
  snapshotBytes: 67_108_864,
  /** Items of one sequence. */
  sequenceItems: 16,
  /** Places of odd characters that the facts of one event name; all are counted. */
  textPlaces: 32,
  /** UTF-16 units of one text in the view of an audit record: a command or a message reads whole, a file does not. */
  recordedText: 2_000,
  /** UTF-16 units of all text in one view: records stay small beside what was judged, and their trail readable. */
  recordedView: 65_536,
  /** Entries of one list or object in a view: the first quarter of a list, and the newest. */
  recordedItems: 64,
  /** Values in a view: nested lists have more of them than texts. */
  recordedValues: 4_096,
  /** Depth of a view. */
  recordedDepth: 24,
  /** Effects, and kinds of masked values, that one record lists. */
  recordedEffects: 64,
  recordedMasks: 64,
  /** Captured output of a program, in UTF-16 units. */
  captured: 2_000,
  /** Captured stdout of a program that answers in JSON, in UTF-16 units: an answer with rewritten arguments must be whole. */
  programAnswer: 65_536,
  /** Captured output of a program that a hook module runs with `exec`, in UTF-16 units per stream. */
  execOutput: 1_048_576,
} as const;

/** The bounds by name. */
export type Limits = typeof limits;
