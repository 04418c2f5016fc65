import { createHash } from "node:crypto";
import { type SeedName, seedText } from "./seed-text.ts";

/** A sentence of a seed: of its prose, a row of a table, an entry of a list, or a comment in its code. */
export interface SeedSentence {
  /** `<seed> <n>`, counted from 1. */
  readonly id: string;
  readonly text: string;
  /** First 8 hexadecimal digits of the SHA-256 of the text. */
  readonly digest: string;
}

const fenced = /^```(?<language>\w*)\n(?<code>[\s\S]*?)^```$/gm;
/** One seed has lost its fences (`seed-text.ts`). */
const unfenced = /^(?<code>(?:import type |omp\.on\()[\s\S]*?^\}(?:\);)?\n)/gm;
const comment = /(?:^|[\s;{,])\/\/ (?<said>\S.*)$/;

/** Every sentence of a seed in its order, without headings; none where the seeds are not there. */
export function seedSentences(seed: SeedName): SeedSentence[] {
  const whole = seedText(seed);
  const prose = whole.replace(whole.includes("\n```") ? fenced : unfenced, (...found) => {
    const { language = "ts", code } = found.at(-1) as { language?: string; code: string };
    return `${commentsIn(language, code).join("\n")}\n`;
  });
  const texts = prose.split("\n").flatMap(sentencesOf);
  return texts.map((text, at) => ({
    id: `${seed} ${at + 1}`,
    text,
    digest: createHash("sha256").update(text).digest("hex").slice(0, 8),
  }));
}

/** What the comments of a block say; in a shell `//` begins none. */
function commentsIn(language: string, code: string): string[] {
  if (!/^(?:ts|typescript)$/.test(language)) return [];
  return code.split("\n").flatMap((line) => comment.exec(line)?.groups?.["said"] ?? []);
}

/** The sentences of one line; none of a heading and of the rule below the head of a table. */
function sentencesOf(line: string): string[] {
  const text = line.trim().replace(/^(?:[-*•]|\d+\.)\s+/, "");
  if (text === "" || text.startsWith("#") || /^[-=|: ]+$/.test(text)) return [];
  return text.split(/(?<=[.!?])\s+(?=[A-Z`*"(])/);
}
