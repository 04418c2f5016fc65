import { describe, expect, test } from "vitest";
import { knownParts } from "../../../schema/approximation.ts";
import { bash } from "../effects/judge.ts";

/** Changes that the call makes and whether it reaches a host, on one line. */
const does = (command: string): string => {
  const { config, network, runs } = bash(command).effects ?? { config: [], network: [], runs: [] };
  return [
    ...config.map(({ target }) => knownParts(target)),
    ...network.map(({ url, direction }) => `${url.host} ${direction}`),
    ...runs.filter(({ target }) => /scripts/.test(knownParts(target))).map(({ target }) => knownParts(target)),
  ].join("; ");
};

describe("a flag given as false is as if it were not given", () => {
  test.each([
    ["docker run --privileged=false alpine", "docker run alpine"],
    ["docker run --privileged --privileged=false alpine", "docker run alpine"],
    ["docker run --privileged=F alpine", "docker run alpine"],
    ["npm publish --dry-run=false", "npm publish"],
    ["npm publish --dry-run --dry-run=false", "npm publish"],
    ["npm i a --ignore-scripts=false", "npm i a"],
  ])("%s does what %s does", (command, other) => expect(does(command)).toBe(does(other)));
});

describe("any other value, a later one and an unknown one give it", () => {
  test.each([
    ["docker run --privileged=true alpine", "docker run --privileged alpine"],
    ["docker run --privileged=false --privileged alpine", "docker run --privileged alpine"],
    ["docker run --privileged=$P alpine", "docker run --privileged alpine"],
  ])("%s does what %s does", (command, other) => expect(does(command)).toBe(does(other)));
});
