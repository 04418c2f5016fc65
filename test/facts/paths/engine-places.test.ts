import { describe, expect, it } from "vitest";
import { environmentOf } from "../../../adapters/pi/environment.ts";
import { pathClass } from "../../../facts/paths/classes.ts";
import { hermeticFiles } from "../../../facts/paths/files.ts";
import { resolvePath } from "../../../facts/paths/resolve.ts";
import { environment as surroundings } from "../effects/judge.ts";

const environment = {
  ...surroundings,
  engine: ["/home/dev/.nvm/versions/node/v20.1.0/bin/node", "/opt/tools/hw"],
};
const files = hermeticFiles({ "/home/dev/node20": { symlink: "/home/dev/.nvm/versions/node/v20.1.0" } });
const path = (text: string) =>
  resolvePath(text, { cwd: environment.cwd, home: environment.home, fold: false, pattern: true }, files);

const table: Record<string, { yes: string[]; no: string[] }> = {
  engine_place: {
    yes: [
      "~/.nvm/versions/node/v20.1.0/bin/node",
      "../node20/bin/node",
      "~/.nvm/versions/node/*/bin/node",
      "~/.nvm/versions/node/v20.1.0/bin/../bin/n?de",
      "/proc/self/root/opt/tools/hw",
      "/opt/tools/hw/dist/x.js",
      "/opt/tools/*",
      "/opt/*/hw",
      "/home/*/.nvm/versions/node/v20.1.0/bin/node",
    ],
    no: [
      "~/.nvm",
      "~/.nvm/versions/node/v18.0.0/bin/node",
      "*",
      "*/*",
      "~/*",
      "/*",
      "/**",
      "src/*",
      "/opt/tools",
      "/opt/tools/hw2",
    ],
  },
  engine_folder: {
    yes: [
      "~/.nvm",
      "~/.nvm/",
      "~/.nvm/*",
      "~/.nv*",
      "~/.nvm/versions/node/v20.1.0",
      "../node20",
      "/opt",
      "/opt/tools",
      "/opt/t*",
      "/home",
      "~",
      "/proc/self/cwd/../.nvm",
    ],
    no: [
      "/",
      "/*",
      "~/*",
      "*",
      "~/.nvm/versions/node/v18.0.0",
      "~/.npm",
      "/opt/tools/hw",
      "/opt/tools/hw/dist",
      "/srv",
    ],
  },
};

describe.each(Object.entries(table))("the class %s", (name, { yes, no }) => {
  it.each(yes)("holds %s", (text) => expect(pathClass(name, path(text), environment, "any")).toBe(true));
  it.each(no)("does not hold %s", (text) => expect(pathClass(name, path(text), environment, "any")).toBe(false));
});

describe("places of the engine", () => {
  it("are of the class engine", () => {
    expect(pathClass("engine", path("~/.nvm/versions/node/v20.1.0/bin/node"), environment, "any")).toBe(true);
  });

  it("are compared without letter case where the volume is", () => {
    const folded = { ...path("~/.NVM/versions/node/v20.1.0/bin/Node"), fold: true };
    expect(pathClass("engine_place", folded, environment, "any")).toBe(true);
  });

  it("are none where the surroundings tell of none", () => {
    const { engine: _, ...none } = environment;
    for (const name of ["engine_place", "engine_folder"])
      expect(pathClass(name, path("~/.nvm/versions/node/v20.1.0/bin/node"), none, "any")).toBe(false);
  });

  it("are taken as text, whatever they hold of a pattern", () => {
    const odd = { ...environment, engine: ["/opt/a*b/[x]{1}"] };
    expect(
      pathClass("engine_place", resolvePath("/opt/a*b/[x]{1}", { cwd: "/", home: "", fold: false }, files), odd, "all"),
    ).toBe(true);
    expect(
      pathClass("engine_place", resolvePath("/opt/acb/x1", { cwd: "/", home: "", fold: false }, files), odd, "any"),
    ).toBe(false);
  });
});

describe("places of a machine", () => {
  it("comes with every event, where it is known", () => {
    const machine = { home: "/home/dev", user: "dev", os: "linux", variables: {}, engine: ["/opt/hw"] } as const;
    expect(environmentOf(machine, files, "/w", false).engine).toEqual(["/opt/hw"]);
    expect(environmentOf({ ...machine, engine: [] }, files, "/w", false)).not.toHaveProperty("engine");
  });
});
