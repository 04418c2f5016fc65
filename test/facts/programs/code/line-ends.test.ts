import { describe, expect, it } from "vitest";
import { bash, deletes, tool } from "../../effects/judge.ts";

const gone = "/srv/p recursive";
const python = 'shutil.rmtree("/srv/p")';
const node = 'require("fs").rmSync("/srv/p",{recursive:true})';

describe("code behind a comment, where something else than a line feed ends the line", () => {
  it.each([
    `python3 -c $'# a\\rimport shutil\\r${python}'`,
    `python3 -c $'import shutil # a\\r\\n# b\\r${python}'`,
    `python3 <<< $'# a\\rimport shutil\\r${python}'`,
    `printf '# a\\rimport shutil\\r${python}\\r' | python3`,
    `echo -e '# a\\rimport shutil\\r${python}' | python3 -`,
    `node -e $'// a\\r${node}'`,
    `printf '// a\\r${node}' | node`,
    `node -e $'// a\\u2028${node}'`,
    `node -e '// a\u2029${node}'`,
    `php -r $'// a\\r# b\\rarray_map("unlink", []); shell_exec("rm -r /srv/p");'`,
  ])("is read: %s", (command) => {
    expect(deletes(bash(command)).map((one) => one.replace(" maybe", ""))).toContain(gone);
  });

  it("is read in a written file too", () => {
    const reading = tool("write", { path: "a.js", content: `// a\u2028${node}\n` });
    expect(deletes(reading).join()).toContain("/srv/p");
  });

  it.each([
    `python3 -c $'# ${python.replaceAll('"', "")}\\nprint(1)'`,
    `node -e $'// ${node.replaceAll('"', "")}\\r\\nconsole.log(1)'`,
    `node -e 'console.log("a\u2028b")'`,
    `python3 -c $'print("a\\\\rb")\\r\\nprint(2)\\r\\n'`,
  ])("is none in the comment itself, or in a text: %s", (command) => {
    const reading = bash(command);
    expect([reading.understanding, deletes(reading)]).toEqual(["understood", []]);
  });
});
