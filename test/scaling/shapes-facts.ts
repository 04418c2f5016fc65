import { type Shape as CommandShape, shapes as commandShapes } from "../corpus/growth.ts";
import { buildFiles } from "./facts/build-files.ts";
import { engine } from "./facts/engine.ts";
import { guarded } from "./facts/guarded.ts";
import { names, written } from "./facts/names.ts";
import { code, mounted, programs } from "./facts/programs.ts";
import { runs } from "./facts/runs.ts";
import { searches } from "./facts/searches.ts";
import { command, type FactShape } from "./facts/shape.ts";
import { files, tools } from "./facts/tools.ts";
import { ways } from "./facts/ways.ts";

/** Every input of facts that grows, as data. A command passes a bound of `schema/limits.ts` beyond 65,536 units. */
export const factShapes: readonly FactShape[] = [
  ...commandShapes.map((shape: CommandShape) => ({
    name: `command: ${shape.name}`,
    of: (length: number) => command(shape.of(length)),
  })),
  ...ways,
  ...names,
  ...written,
  ...runs,
  ...programs,
  mounted,
  ...code,
  ...tools,
  ...files,
  ...buildFiles,
  ...engine,
  ...guarded,
  ...searches,
];
