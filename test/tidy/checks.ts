import { codes } from "../../diagnostics/codes.ts";
import { codeFixtures } from "./code-fixtures.ts";
import { completeLock, dependenciesAreImports, oneShellParserFile, pureRooms, thirdPartyHomes } from "./packages.ts";
import { importOrder, noCycles, smallDispatcher } from "./rooms.ts";
import { docstrings, kebabNames, size, tellingNames, topLevel } from "./shape.ts";
import type { Check } from "./tree.ts";
import {
  everyTestRuns,
  namedFilesAreThere,
  noMachinePaths,
  noMirrors,
  pathsAreNoAddresses,
  readmeStart,
} from "./words.ts";

/** The invariants of the architecture and the house rules that text alone can show. */
export const checks: readonly Check[] = [
  importOrder,
  noCycles,
  smallDispatcher,
  thirdPartyHomes,
  oneShellParserFile,
  dependenciesAreImports,
  completeLock,
  pureRooms,
  topLevel,
  tellingNames,
  kebabNames,
  size,
  docstrings,
  codeFixtures(Object.keys(codes)),
  everyTestRuns,
  noMachinePaths,
  pathsAreNoAddresses,
  noMirrors,
  namedFilesAreThere,
  readmeStart,
];
