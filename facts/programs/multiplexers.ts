import { type Field, literalField, textOfField, withText } from "../shell/fields.ts";
import { launcher } from "./launcher.ts";
import type { Call, Program } from "./program.ts";
import { splitQuoted } from "./split.ts";
import type { Inner, Wrapper } from "./wrapper.ts";

const tmuxCommand = launcher(
  "tmux",
  "-L=; -S=; -f=; -c=; -2; -u; -v; -d; -s=; -n=; -t=; -e=; -x=; -y=; -b; -h; -A; -P; -F=",
  {
    self: true,
    after: [
      "new-session",
      "new",
      "new-window",
      "neww",
      "split-window",
      "splitw",
      "run-shell",
      "run",
      "respawn-pane",
      "respawnp",
      "respawn-window",
      "respawnw",
      "pipe-pane",
      "pipep",
      "if-shell",
      "if",
      "popup",
      "display-popup",
      "send-keys",
      "send",
    ],
    text: true,
  },
);
/** Commands of tmux that hold further ones, which run at once or later. */
const holding = /^(?:bind|bind-key|set-hook|if-shell|if|confirm-before|confirm|command-prompt|display-menu|menu)$/;
const starting =
  /^(?:new-session|new|new-window|neww|split-window|splitw|run-shell|run|respawn-(?:pane|window)|respawn[pw]|pipe-pane|pipep|if-shell|if|display-popup|popup|send-keys|send)$/;

/** `tmux bind x run-shell text`: commands of tmux inside another, as words or in one. */
function heldBy(args: readonly Field[]): Inner[] {
  const at = args.findIndex((word) => holding.test(word.text));
  if (at < 0) return [];
  const run = (fields: readonly Field[]): Inner => ({
    kind: "words",
    fields: [literalField("tmux", fields[0]?.place ?? { start: 0, end: 0 }), ...fields],
    external: true,
    certain: false,
  });
  return args.slice(at + 1).flatMap((word, i): Inner[] => {
    if (starting.test(word.text)) return [run(args.slice(at + 1 + i))];
    const words = /\s/.test(word.text) ? splitQuoted(word.text, "env") : [];
    return starting.test(words[0] ?? "") ? [run(words.map((text) => withText(word, text)))] : [];
  });
}

const tmux: Wrapper = {
  names: tmuxCommand.names,
  unwrap(args, input) {
    const found = tmuxCommand.unwrap(args, input);
    const held = heldBy(args);
    return held.length === 0 ? found : { self: true, inner: [...(found?.inner ?? []), ...held] };
  },
};

const screenCommand = launcher(
  "screen",
  "-S=; -c=; -e=; -h=; -p=; -s=; -t=; -T=; -d; -D; -m; -A; -a; -L; -O; -q; -U; -r; -R; -x; -X; -ls; -list; -wipe",
  {
    self: true,
    idle: ["-r", "-R", "-x", "-X"],
  },
);

/** `screen -X exec words`, `-X screen words`: a command that a running session starts. */
const screen: Wrapper = {
  names: screenCommand.names,
  unwrap(args, input) {
    const at = args.findIndex((word) => word.text === "-X");
    const [verb, ...words] = at < 0 ? [] : args.slice(at + 1);
    if (!verb || !/^(?:screen|exec|backtick|blankerprg)$/.test(verb.text)) return screenCommand.unwrap(args, input);
    const fields = words.slice(words.findIndex((word) => !/^(?:-|[.!|:]+$|\d+$)/.test(word.text)));
    return words.length > 0 ? { self: true, inner: [{ kind: "words", fields, external: true }] } : undefined;
  },
};

/** Commands of tmux that end the programs in a session, a window or a pane; `respawn-… -k` does so before it starts another. */
const endsInside = /^(?:kill-(?:session|server|window|pane)|kill[pw]|respawn-(?:pane|window)|respawn[pw])$/;

/** Returns the value of an option with one letter among the words of a command, or undefined. */
function letterValue(words: readonly Field[], letter: string): Field | undefined {
  const at = words.findIndex((word) => word.text.startsWith(`-${letter}`));
  const found = words[at];
  return found && found.text.length > 2 ? withText(found, found.text.slice(2)) : words[at + 1 || words.length];
}

/** `tmux kill-session -t dev`: ends what runs there; the other commands start something or are not known. */
function controlsTmux(call: Call): void {
  for (const socket of call.values("-S")) call.to.write(socket);
  const [verb, ...words] = call.operands;
  const ends = verb !== undefined && endsInside.test(verb.text) && (verb.text[0] === "k" || hasLetter(words, "k"));
  if (ends) {
    const target = verb.text === "kill-server" || hasLetter(words, "a") ? undefined : letterValue(words, "t");
    call.to.kill(target ? textOfField(target) : "tmux", target?.kind !== "unknown");
  }
  if (!ends || verb.text[0] !== "k" || words.some((word) => word.text.includes(";"))) runsCommand(call);
}

function hasLetter(words: readonly Field[], letter: string): boolean {
  return words.some((word) => /^-[a-zA-Z]+$/.test(word.text) && word.text.includes(letter));
}

/** `screen -S dev -X quit`: ends the session. */
function controlsScreen(call: Call): void {
  const at = call.words.findIndex((word) => word.text === "-X");
  const verb = at < 0 ? undefined : call.words[at + 1];
  if (verb && /^(?:quit|kill)$/.test(verb.text)) {
    const session = call.value("-S");
    call.to.kill(session ? textOfField(session) : "screen", session?.kind !== "unknown");
  } else runsCommand(call);
}

function runsCommand(call: Call): void {
  call.to.run([call.program, ...call.operands.slice(0, 1).map((word) => word.text)].join(" "));
  call.to.doubt(`what ${call.program} runs is not analysed`);
}

/** Effects of the multiplexers themselves. */
export const multiplexerPrograms: readonly Program[] = [
  {
    names: tmuxCommand.names,
    grammar: { options: ["-S=", "-L=", "-f=", "-c=", "-T="], stop: true },
    begins: ([verb]) => [endsInside, starting, holding].some((verbs) => verbs.test(verb?.text ?? "")),
    effects: controlsTmux,
  },
  { names: screenCommand.names, grammar: { options: ["-S="] }, effects: controlsScreen },
];

/** Programs that start others in terminals of their own. Source: tmux(1), screen(1). */
export const multiplexers: readonly Wrapper[] = [tmux, screen];
