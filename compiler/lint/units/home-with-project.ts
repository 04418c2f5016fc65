import type { Lint } from "../lint.ts";

/** Lint: a rule about the home folder stops calls for each file of a project that lies there. */
export const homeWithProject: Lint = {
  code: "HW803",
  name: "home-with-project",
  why: "The class `home` is the home folder and all beneath it. Projects usually lie there, so that the rule applies to each of their files.",
  advice:
    "Leave the project out by `unless: { <path>: { is: workspace } }`, or name the folder that is meant by `within`.",
  bad: [
    {
      title: "files of the user",
      at: ["d.path: { is: home }", "path: { is: [home, system] }"],
      policy: `  - id: deletes
    event: [tool_call, user_bash]
    each: { d: effects.deletes }
    when: { d.path: { is: home } }
    action: ask
    reason: the file is the user's
  - id: writes
    event: [tool_call, user_bash]
    when: { some: { effects.writes: { path: { is: [home, system] } } } }
    action: block
    reason: the project is elsewhere
`,
    },
  ],
  good: [
    {
      title: "without the project, or for part of the home folder",
      policy: `  - id: deletes
    event: [tool_call, user_bash]
    each: { d: effects.deletes }
    when: { d.path: { is: home } }
    unless: { d.path: { is: workspace } }
    action: ask
    reason: the file is the user's
  - id: writes
    event: [tool_call, user_bash]
    each: { w: effects.writes }
    when: { all: [{ w.path: { is: home } }, { w.path: { not: { within: . } } }] }
    action: ask
    reason: the file is the user's
  - id: everywhere
    event: [tool_call, user_bash]
    each: { w: effects.writes }
    when: { w.path: { is: [home, workspace] }, w.path.ext: pem }
    action: ask
    reason: it is a key
  - id: folders
    event: [tool_call, user_bash]
    each: { d: effects.deletes }
    when: { d.path: { is: home }, d.recursive: true }
    action: ask
    reason: a folder goes with all beneath it
`,
    },
  ],
  claim({ operator, values, negated, part, span, path, field }, { rule }) {
    if (!rule?.catches || part !== "when" || negated || operator !== "is" || field !== "path") return undefined;
    // An argument may be the home folder as a whole, as that of a search.
    if (path.startsWith("args.")) return undefined;
    if (!values?.includes("home")) return undefined;
    const both = rule.claims.some((other) => other.path === path && other.values?.includes("workspace"));
    if (both) return undefined;
    // Another test of the place or of the project may leave out what is not meant; its name and ending do not.
    const others = rule.claims.filter(
      (claim) =>
        claim.span.start !== span.start &&
        claim.field !== "path.ext" &&
        ["when", "unless", "exception"].includes(claim.part),
    );
    if (others.some(({ path: other }) => other.startsWith(path.replace(/\.[^.]*$/, "")) || /workspace|cwd/.test(other)))
      return undefined;
    return {
      span,
      message: "`home` includes the project, if that lies in the home folder: the rule applies to each of its files",
      help: `write \`unless: { ${path}: { is: workspace } }\`, or name the folder that is meant by \`within\``,
    };
  },
};
