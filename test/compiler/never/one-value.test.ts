import { describe, expect, it } from "vitest";
import { foundIn } from "./found.ts";

/** Codes that say of a whole rule that it is dead. */
const dead: ReadonlySet<string> = new Set(["HW312", "HW413", "HW612", "HW620"]);

function found(each: string, tests: string): readonly string[] {
  const text = `  - id: r\n    event: [tool_call, user_bash]\n    each: { ${each} }\n    ${tests}\n    action: ask\n    reason: r\n`;
  return foundIn(text).flatMap(({ code, at }) => (dead.has(code) ? [`${code} ${at}`] : []));
}

const writes = "w: effects.writes";
const network = "n: effects.network";
const pushes = "p: effects.pushes";
const deletes = "d: effects.deletes";

/** Tests of parts of one value that no value passes, with the place. */
const apart: readonly (readonly [string, string, string])[] = [
  [writes, 'when: { w.path.ext: [js, jsx], w.path.name: { glob: "*.{ts,tsx}" } }', "HW312"],
  [writes, "when: { w.path.name: Makefile, w.path.ext: mk }", "HW312"],
  [writes, "when: { all: [{ w.path.ext: { starts_with: py } }, { w.path.name: { ends_with: .sh } }] }", "HW312"],
  [writes, `when: 'w.path.ext == "pem" && w.path.name.endsWith(".key")'`, "HW312"],
  [writes, "when: { w.path.ext: ts, w.path.name: { not: { ends_with: .ts } } }", "HW312"],
  [writes, "when: { w.path.ext: go, w.path.lexical: { ends_with: [.rs, .c] } }", "HW312"],
  [writes, "when: { w.path.ext: env, w.path.name: .env }", "HW312"],
  [network, "when: { n.url.host: { cidr: 192.168.0.0/16, equals: nas.example.org } }", "HW312"],
  [network, "when: { n.url.host: { cidr: 192.168.0.0/16, equals: 10.0.0.1 } }", "HW312"],
  [network, 'when: { n.url: { is: address }, n.url.host: { glob: "*.corp.example" } }', "HW312"],
  [network, "when: { n.url.host: { lookalike_of: [paypal.com, github.com], host_in: [api.github.com] } }", "HW312"],
  [network, "when: { n.url.host: { lookalike_of: github.com, ends_with: .github.com } }", "HW312"],
  [network, "when: { n.url: { is: private }, n.url.host: { host_in: [github.com] } }", "HW312"],
  [network, "when: { n.url: { cidr: 10.0.0.0/8 }, n.url.host: { contains: internal } }", "HW312"],
  [network, "when: { all: [{ n.url: { host_in: [a.test] } }, { n.url.host: { host_in: [b.test] } }] }", "HW312"],
  [deletes, "when: 'effects.deletes.size() == 0 && d.recursive'", "HW312"],
  [deletes, "when: 'effects.deletes == []'", "HW312"],
  [deletes, "when: { effects.deletes: { size: { lt: 1 } } }", "HW312"],
];

/** An `unless` that encloses what `when` names. */
const enclosed: readonly (readonly [string, string, string])[] = [
  [
    pushes,
    'when: { p.target.branch: { glob: "release/*" } }\n    unless: { p.target.branch: { glob: "release/**" } }',
    "HW620",
  ],
  [
    pushes,
    'when: { p.target.branch: { starts_with: release/1 } }\n    unless: { p.target.branch: { glob: "rel*/**" } }',
    "HW620",
  ],
  [deletes, 'when: { d.path: { glob: "src/*.ts" } }\n    unless: { d.path: { glob: "src/**" } }', "HW620"],
  [deletes, 'when: { d.path: { glob: "*.{pem,key}" } }\n    unless: { d.path: { glob: ["*.pem", "*.key"] } }', "HW620"],
  [deletes, "when: { d.path: { within: build/tmp } }\n    unless: { d.path: { within: build } }", "HW620"],
  [network, "when: { n.url.host: { host_in: api.a.test } }\n    unless: { n.url.host: { host_in: a.test } }", "HW620"],
  [
    deletes,
    'when: { environment.branch: { glob: "release/*" } }\n    unless: { environment.branch: { starts_with: rel } }',
    "HW413",
  ],
];

const alive: readonly (readonly [string, string])[] = [
  [writes, "when: { w.path.ext: [ts, tsx], w.path.name: { ends_with: .tsx } }"],
  [writes, "when: { w.path.ext: ts, w.path.name: { ends_with: .d.ts } }"],
  [writes, 'when: { w.path.ext: "", w.path.name: { starts_with: .env } }'],
  [writes, 'when: { w.path.ext: "", w.path.name: { ends_with: .env } }'],
  [writes, 'when: { w.path.ext: local, w.path.name: { glob: ".env.*" } }'],
  [writes, "when: { w.path.ext: ts, w.path.name: { not: { ends_with: .d.ts } } }"],
  [writes, "when: { w.path.ext: ts, some: { effects.reads: { path.name: { ends_with: .js } } } }"],
  [writes, 'when: { w.path.ext: ts, w.path: { glob: "*.js" } }'],
  [network, "when: { n.url.host: { cidr: 10.0.0.0/8, ends_with: '.1' } }"],
  [network, "when: { n.url: { is: private }, n.url.host: { ends_with: .internal } }"],
  [network, "when: { n.url: { is: private }, n.url.host: { host_in: [nip.io] } }"],
  [network, "when: { n.url.host: { lookalike_of: [github.com], ends_with: .test } }"],
  [network, "when: { n.url: { is: private }, n.url.host: { not: { cidr: 10.0.0.0/8 } } }"],
  [network, "when: { n.url: { is: address }, n.url.host: { host_in: [10.0.0.1] } }"],
  [network, "when: { n.url: { is: [address, data_name] }, n.url.host: { ends_with: .example } }"],
  [network, "when: { n.url.host: { host_in: [github.com], ends_with: .api.github.com } }"],
  [network, "when: { n.url.host: { host_in: [a.test] } }\n    unless: { n.url.host: { host_in: [api.a.test] } }"],
  [deletes, "when: { effects.writes: { size: 0 } }"],
  [deletes, "when: { effects.deletes: { size: 1 } }"],
  [deletes, 'when: { d.path: { glob: "src/**" } }\n    unless: { d.path: { glob: "src/*" } }'],
  [deletes, 'when: { d.path: { glob: "*.ts" } }\n    unless: { d.path: { glob: "src/**" } }'],
  [deletes, "when: { d.path: { within: build } }\n    unless: { d.path: { within: builds } }"],
  [pushes, 'when: { p.target.branch: { glob: "*" } }\n    unless: { p.target.branch: { glob: "?" } }'],
  [pushes, "when: { p.target.branch: { contains: rel } }\n    unless: { p.target.branch: { starts_with: rel } }"],
];

describe("tests of parts of one value", () => {
  it.each([...apart, ...enclosed])("%s %s is dead", (each, tests, code) => {
    expect(found(each, tests).map((one) => one.split(" ")[0])).toEqual([code]);
  });

  it.each(alive)("%s %s is alive", (each, tests) => {
    expect(found(each, tests)).toEqual([]);
  });
});
