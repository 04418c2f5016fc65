import { readFileSync, writeFileSync } from "node:fs";
import { createRegexEngine } from "../../facts/regex.ts";
import { actionSubject, plainLoop, type ScanSubject, scannerSubject, secretlintSubject } from "./redaction-subjects.ts";
import { benchTexts } from "./redaction-texts.ts";

/**
 * Run as a process of its own, for a peak is only known of a whole process: `<subject> <text>`. Prints, as JSON, by how
 * many bytes the peak is above what the process had with the text and the subject ready; null where the subject is not
 * installed or the system does not tell.
 */
const makers: Readonly<Record<string, () => ScanSubject | undefined | Promise<ScanSubject | undefined>>> = {
  scanner: () => scannerSubject(createRegexEngine()),
  action: () => actionSubject(createRegexEngine()),
  loop: () => plainLoop(createRegexEngine()),
  secretlint: secretlintSubject,
};

/** Peak of resident memory in bytes since the last reset; undefined on other systems than Linux. */
function peak(): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

function resetPeak(): boolean {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
    return true;
  } catch {
    return false;
  }
}

const [wanted = "", name] = process.argv.slice(2);
const subject = await makers[wanted]?.();
const text = benchTexts.find((one) => one.name === name)?.make();
if (subject && text !== undefined) {
  await subject.scan("no secret in here\n");
  (globalThis as { gc?: () => void }).gc?.();
  const reset = resetPeak();
  const before = peak();
  await subject.scan(text);
  const after = peak();
  const known = reset && before !== undefined && after !== undefined;
  process.stdout.write(JSON.stringify(known ? { above: Math.max(0, after - before) } : null));
} else {
  process.stdout.write("null");
}
