import { arm } from "./crash.ts";

/** Imported before everything else, so that a fault while the rest loads is answered too. */
arm(process.argv.slice(2), 500);
