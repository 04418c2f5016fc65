import { judgeAll, report } from "./report.ts";

/** `npm run conformance`: the CEL data set over the declared subset; exits 1 if a case fails. */
const judged = judgeAll();
for (const line of report(judged)) console.log(line);
if (judged.some(([, { outcome }]) => outcome === "failed")) process.exitCode = 1;
