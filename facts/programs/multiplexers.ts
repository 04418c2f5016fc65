import { type Field, literalField, withText } from "../shell/fields.ts";
import { launcher } from "./launcher.ts";
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

/** Programs that start others in terminals of their own. Source: tmux(1), screen(1). */
export const multiplexers: readonly Wrapper[] = [tmux, screen];
