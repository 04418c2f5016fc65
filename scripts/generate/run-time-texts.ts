import type { Code } from "../../diagnostics/codes.ts";
import type { CodeText } from "./code-texts.ts";

/** Codes that no policy text raises: those of judging (HW5xx) and of the command line (HW7xx). */
export const runTimeTexts: Partial<Record<Code, CodeText>> = {
  HW501: {
    means: "An event came in that does not fit its schema. It is answered by its closed outcome: a call does not run.",
    next: "Look at the fields that the message names; `docs/reference/events.md` has the shape. From a host this is a fault of its adapter: please report it.",
  },
  HW502: {
    means:
      "A condition became an error value while it was judged, e.g. an index out of range. The rule then takes its closed outcome.",
    next: "Run `hookwarden explain` with the event: it shows the part. Guard it with `has(…)`, `size()` or `orValue`.",
  },
  HW503: {
    means:
      "A rule took more steps than it may for one payload, so that nobody knows whether it holds. A call is asked about; any other event is closed.",
    next: "Test what is cheap first, and go through a list once; name what several rules share under `conditions`.",
  },
  HW504: {
    means:
      "The payload is larger or nested deeper than one that can be judged. Nothing over a bound is skipped in silence.",
    next: "Let the tool return less, or truncate the result before it reaches the agent.",
  },
  HW505: {
    means: "Rules that rewrite the payload did not come to an end: what one writes, another changes again.",
    next: "Look at `redact`, `modify` and `truncate` of the rules that the message names; a redaction must not find its own result.",
  },
  HW506: {
    means: "Something happened that nobody foresaw. No answer was given, or the closed one.",
    next: "Please report it with the command line and the policy that caused it.",
  },
  HW507: {
    means:
      "A text was too large, or too full of beginnings of secrets, to be searched in bounded time. It is withheld as a whole.",
    next: "Let the tool return less, or search the text in parts.",
  },
  HW508: {
    means:
      "A compiled plan cannot be used: of another version, of other bytes than its digest says, or not a plan at all.",
    next: "Compile it again with `hookwarden compile`, and install that.",
  },
  HW509: {
    means: "The audit trail cannot be written, and the policy requires it. The call does not run.",
    next: "Make room and check the folder's permissions; `audit: { mode: best_effort }` is the choice of whoever owns the policy.",
  },
  HW510: {
    means: "A rule asked, and no human approved: nobody could be asked, the question timed out, or the answer was no.",
    next: "Approve with `hookwarden approve` where the host cannot ask, or take the way that the guidance names.",
  },
  HW511: {
    means: "The call that ran is another than the one that was judged: something changed it in between.",
    next: "Look at the hooks behind hookwarden in the host's settings; the policy has to be the outermost.",
  },
  HW512: {
    means: "A hook module failed. In `tool_call` the call is blocked, elsewhere its answer is dropped.",
    next: "Mend the module; its error is in the audit trail.",
  },
  HW513: {
    means: "A program that a rule runs failed, took too long or answered what cannot be read.",
    next: "Run the program by hand with the event on its standard input; raise `timeout` if it needs longer.",
  },
  HW514: {
    means:
      "Two rules set one key of the payload to different values. Neither is guessed to be right: the call is blocked.",
    next: "Let one of the rules set it, or give them conditions that exclude each other.",
  },
  HW515: {
    means:
      "The state of the session cannot be read, written or locked, so that labels, counters and approvals are not known.",
    next: "Check the state folder; `hookwarden doctor` says which file it is.",
  },
  HW516: {
    means:
      "Judging the event would take more work than one event may: its text, its lists and the rules together are too much to be looked at while the agent waits. The work is counted, not timed, so that the answer is the same on every machine.",
    next: "Let the agent do it in smaller parts. If a rule with a large regular expression reads long texts, give it a smaller one or a condition that leaves such texts out.",
  },
  HW517: {
    means:
      "A file of hookwarden's own place was replaced, changed, taken away or opened to others since `install` filled it, or another Node runs it. Every call is refused, because what judges is not known.",
    next: "Find out who changed it. Then run `hookwarden install` again for each host in a terminal of your own, and `hookwarden doctor`. After an update of a Node that could not be linked into the place this is all there is to do.",
  },
  HW701: {
    means: "The command line cannot be understood.",
    next: "See `hookwarden <command> --help`.",
  },
  HW702: {
    means: "A file could not be written. It is as it was: files are written whole or not at all.",
    next: "Check that the folder can be written and has room, and that nobody changed the file meanwhile.",
  },
  HW703: {
    means: "A file of events cannot be read, or a line of it is no JSON object.",
    next: "Write one JSON object on each line.",
  },
  HW704: {
    means: "An audit trail cannot be checked: it is not there, is not one, or its key is missing.",
    next: "Name the file that the policy's host writes; `hookwarden doctor` shows where that is.",
  },
  HW705: {
    means: "A file of another tool cannot be imported.",
    next: "Check that it is the file that the command is for; the message names the place.",
  },
  HW706: {
    means:
      "What was asked for is a human's decision, and there was no terminal to ask at. The controlling terminal is meant: input and output of the command may be anything.",
    next: "Run the command in a terminal of your own, in the foreground. For scripts make a token before with `hookwarden token`; for images and CI root writes `/etc/hookwarden/unattended` (guide to installing).",
  },
  HW707: {
    means:
      "The configuration of a host cannot be changed safely: it cannot be read, is not what it should be, or changed meanwhile.",
    next: "Mend the file, then run the command again; nothing was changed.",
  },
  HW708: {
    means:
      "The command was started inside an agent, and an agent may not change what guards it. The message says what shows it: a variable, a process above this one, in its session or group, or one that holds its terminal.",
    next: "Run the command in a terminal that no agent has started. A token holds inside an agent only where it was made so (`--inside-agents`).",
  },
  HW709: {
    means: "The question was answered by something else than the word that the terminal showed. Nothing was changed.",
    next: "Run the command again; it shows another word.",
  },
  HW710: {
    means:
      "The file of `--token` cannot be used: it is no token, others may read it, or it was made elsewhere, for other verbs, is used up or too old.",
    next: "Make one with `hookwarden token` in a terminal, or run the command there without `--token`.",
  },
  HW711: {
    means:
      "The file by which the owner of a machine lets verbs run unasked does not count, because somebody else may write it or a line of it cannot be read. The human is asked as without it.",
    next: "Let root write it anew, with mode 0644, in a folder that is root's; each line is a verb, and `until YYYY-MM-DD` where it is to end.",
  },
};
