import type { Detector } from "./detector.ts";
import { cloudRows } from "./rows-cloud.ts";
import { codeRows } from "./rows-code.ts";
import { dataRows } from "./rows-data.ts";
import { generalRows } from "./rows-general.ts";
import { modelRows } from "./rows-models.ts";
import { personalRows } from "./rows-personal.ts";
import { placeRows } from "./rows-places.ts";
import { productRows } from "./rows-products.ts";
import { serviceRows } from "./rows-services.ts";

/** Every detector, in a fixed order: of two alike, the first gives the name. Source: threats section 5; semantics section 2 (`redact`). */
export const detectors: readonly Detector[] = [
  ...cloudRows,
  ...serviceRows,
  ...modelRows,
  ...codeRows,
  ...productRows,
  ...dataRows,
  ...placeRows,
  ...generalRows,
  ...personalRows,
];
