import { spend, spendText } from "../meter.ts";
import { unknownVariable } from "../shell/fields.ts";
import { wordsText } from "./shell-words.ts";

/** Commands of CMake that start programs, now or in a build. Source: cmake-commands(7). */
const starts = /^(?:execute_process|exec_program|add_custom_command|add_custom_target|add_test|install)$/i;
/** Words behind which a program stands, and words that end its arguments. */
const commandWord = /^(?:COMMAND|CODE)$/;
const endWord =
  /^(?:WORKING_DIRECTORY|TIMEOUT|RESULTS?_VARIABLE|OUTPUT_\w+|ERROR_\w+|INPUT_FILE|COMMAND_\w+|ENCODING|DEPENDS|BYPRODUCTS|COMMENT|VERBATIM|APPEND|USES_TERMINAL|MAIN_DEPENDENCY|DEPFILE|SOURCES|CONFIGURATIONS|PRE_BUILD|PRE_LINK|POST_BUILD|ECHO_\w+|JOB_POOL|COMPONENT)$/;
const part = /#\[(=*)\[|#[^\n]*|\[(=*)\[|"((?:[^"\\]|\\[\s\S])*)"?|[()]|[^\s()"#]+|\s+|[\s\S]/gy;

/** Returns the shell texts of the programs that a file of CMake starts. */
export function cmakeTexts(text: string): string[] {
  spendText(6 * text.length);
  const texts: string[] = [];
  let last = "";
  let depth = 0;
  let words: string[] | undefined;
  let isStart = false;
  const end = (): void => {
    if (words && words.length > 0) texts.push(wordsText(words).replaceAll("'&&'", "&&").replaceAll("'|'", "|"));
    words = undefined;
  };
  part.lastIndex = 0;
  for (let found = part.exec(text); found && found[0] !== ""; found = part.exec(text)) {
    const [sign, comment, bracket, quoted] = found;
    // Each is a match of its own, which takes longer than its length says.
    spend(2);
    const close = comment ?? bracket;
    if (close !== undefined) {
      const from = part.lastIndex;
      const to = text.indexOf(`]${close}]`, from);
      part.lastIndex = to < 0 ? text.length : to + close.length + 2;
      if (bracket !== undefined) words?.push(text.slice(from, to < 0 ? text.length : to));
    } else if (sign.startsWith("#") || /^\s/.test(sign)) continue;
    else if (sign === "(") {
      depth += 1;
      if (depth === 1) isStart = starts.test(last);
      if (depth === 1 && /^exec_program$/i.test(last)) words = [];
    } else if (sign === ")") {
      depth = Math.max(0, depth - 1);
      if (depth === 0) end();
    } else if (depth === 0) last = sign;
    else if (sign === "ARGS") continue;
    else if (isStart && quoted === undefined && commandWord.test(sign)) {
      end();
      words = [];
    } else if (quoted === undefined && endWord.test(sign)) end();
    else words?.push(meant(quoted ?? sign));
  }
  end();
  return texts;
}

function meant(word: string): string {
  return word
    .replace(/\\([\s\S])/g, "$1")
    .replace(/\$(?:ENV)?\{CMAKE_COMMAND\}/g, "cmake")
    .replace(/\$(?:ENV)?\{[^{}]*\}|\$<[^<>]*>/g, `\${${unknownVariable}}`);
}
