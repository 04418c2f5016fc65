import { textValues } from "../claims.ts";
import type { Lint } from "../lint.ts";

/** Lint: a path begins at the root of the machine, but its first folder is one of a project. */
export const rootOfMachine: Lint = {
  code: "HW694",
  name: "root-of-machine",
  why: "In `.gitignore`, CODEOWNERS and settings of editors a leading slash is the root of the repository. Here it is the root of the machine, where no `docs` or `package.json` of a project stands, so that the test never holds.",
  advice: "Leave the slash out: a path without one is of the project.",
  bad: [
    {
      title: "folders and files of a project",
      at: ['"/infra/**"', "/.github", '"/package.json"'],
      policy: `  - id: owned
    event: tool_call
    each: { w: effects.writes }
    when: { any: [{ w.path: { glob: "/infra/**" } }, { w.path: { within: /.github } }, { w.path: { glob: "/package.json" } }] }
    action: ask
    reason: another team owns it
`,
    },
  ],
  good: [
    {
      title: "the same of the project, and folders of the machine",
      policy: `  - id: owned
    event: tool_call
    each: { w: effects.writes }
    when: { any: [{ w.path: { glob: ["infra/**", package.json] } }, { w.path: { within: [.github, /etc, /srv/docs] } }, { w.path: { glob: "/data/**" } }] }
    action: ask
    reason: another team owns it
`,
    },
  ],
  claim(claim, { policy }) {
    if (!["glob", "within"].includes(claim.operator) || claim.field !== "path") return undefined;
    const found = textValues(claim).find(({ text }) => isOfProject(text));
    if (!found) return undefined;
    return {
      span: policy.valueSpan(claim, found.index),
      message: "a leading slash is the root of the machine",
      help: `for the project write \`${found.text.slice(1)}\``,
    };
  },
};

/** Folders and files at the top of projects that few machines have at their root; containers have `/app`, `/src` and `/tests`. */
const atTop: ReadonlySet<string> = new Set(
  [
    "infra infrastructure terraform docs doc packages apps libs modules node_modules vendor",
    "migrations charts helm k8s manifests deploy deployment ansible playbooks public",
    "frontend backend internal pkg cmd examples fixtures dist coverage schemas prisma",
    ".github .gitlab .git .circleci .vscode .idea .husky .env .npmrc .gitignore .gitlab-ci.yml .terraform",
    "package.json package-lock.json yarn.lock pnpm-lock.yaml tsconfig.json Cargo.toml Cargo.lock go.mod go.sum",
    "pyproject.toml requirements.txt poetry.lock Gemfile composer.json pom.xml build.gradle Makefile Dockerfile",
    "docker-compose.yml docker-compose.yaml Jenkinsfile CODEOWNERS README.md LICENSE CHANGELOG.md",
  ].flatMap((line) => line.split(" ")),
);

function isOfProject(text: string): boolean {
  const [empty, first = ""] = text.slice(0, 200).split("/", 2);
  return (
    empty === "" &&
    (atTop.has(first) ||
      /^\*[\w.-]*\.(?:tf|ts|tsx|js|py|go|rs|rb|java|md|json|ya?ml|toml|lock|env)$/.test(first) ||
      first === ".env*")
  );
}
