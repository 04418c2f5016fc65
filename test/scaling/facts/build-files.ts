import { type FactShape, file, joined, meeting } from "./shape.ts";

/** A file in which each of many short texts meets one that grows with them. */
function between(
  path: string,
  name: string,
  content: (length: number, half: (piece: string) => string) => string,
): FactShape {
  return {
    name: `writes ${path}: ${name}`,
    of: (length) => ({
      tool: "write",
      args: { path, content: content(length, (piece) => joined(length / 2, () => piece)) },
    }),
  };
}

const workflow = ".github/workflows/a.yml";

/** Files of builds and editors whose readers run texts by interpreters, cut them into signs, and put values in them. */
export const buildFiles: readonly FactShape[] = [
  between(
    "Makefile",
    "long interpreters",
    (_, half) => `${[1, 2, 3, 4].map((i) => `SHELL = ${"-a ".repeat(1_300)}p${i}\n`).join("")}a:\n${half("\ta\n")}`,
  ),
  file("Makefile", "", () => "$(shell a)"),
  file("Makefile", "a:\n\t$(if ", () => "a,", ")"),
  file("Makefile", "a:\n\t$(", () => "$(a "),
  file("Makefile", "define A\n", () => "$(A);\n", "endef\n$(A)\n"),
  // Each command is read with the words of the entry before it.
  meeting(
    between("Dockerfile", "a long entry", (_, half) => `ENTRYPOINT [${half('"a",')}"a"]\n${half('CMD ["a"]\n')}`),
  ),
  between("Dockerfile", "a long shell", (_, half) => `SHELL [${half('"-a",')}"p"]\n${half("RUN a\n")}`),
  file("Dockerfile", "", () => "\\ "),
  file("Dockerfile", "", () => "RUN <<a <<b <<c\na\nb\nc\n"),
  between(
    workflow,
    "a long shell",
    (_, half) => `defaults:\n  run:\n    shell: ${half("-a ")}p\n${half("a:\n  run: a\n")}`,
  ),
  between(workflow, "a long shell in brackets", (_, half) => `a: {shell: "${half("-a ")}p", run: [${half("a,")}]}`),
  file(workflow, "run: [", () => "a,", "]"),
  file(workflow, "", () => "[{"),
  file(workflow, "a: [", () => '"\\', "]"),
  meeting(file(workflow, "", () => "- &a run\n", "run: *a\n")),
  file("Jenkinsfile", "", () => "'''\n\\"),
  file("Jenkinsfile", "", () => '"""\n\\'),
  file("Jenkinsfile", "", () => "()"),
  file("Jenkinsfile", "sh(", () => "'a'+", ")"),
  file("Jenkinsfile", "", () => "sh 'a'\n"),
  file("CMakeLists.txt", "", () => "()"),
  file("CMakeLists.txt", "add_test(", () => "COMMAND a ", ")"),
  file("CMakeLists.txt", "", () => "[=#[="),
  file(".vimrc", "", () => "system('"),
  file(".vimrc", "au ", () => " ! "),
  file(".vimrc", "", () => "redir|"),
  file("justfile", "", () => "\n"),
  file(".gitconfig", "", () => "a\n"),
  file("a.service", "", () => "a\n"),
];
