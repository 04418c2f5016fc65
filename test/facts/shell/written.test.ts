import { describe, expect, it } from "vitest";
import { unitsOf } from "../../../facts/meter.ts";
import { fasterThanLinear } from "../../work.ts";
import { bash, deletes, programs } from "../effects/judge.ts";

const bad = "rm -rf /etc";
const heredoc = (file: string, body: string): string => `cat > ${file} <<'E'\n${body}\nE\n`;

/** The deletes of a command, whether certain or possible. */
function deleted(command: string): string[] {
  return deletes(bash(command)).map((line) => line.replace(" maybe", ""));
}

describe("a file that the text writes and then runs (class 9)", () => {
  it.each([
    `${heredoc("f.sh", bad)}bash f.sh`,
    `${heredoc("f.sh", bad)}sh ./f.sh`,
    `${heredoc("f.sh", bad)}source f.sh`,
    `${heredoc("f.sh", bad)}. ./f.sh`,
    `${heredoc("f.sh", bad)}chmod +x f.sh && ./f.sh`,
    `${heredoc("f.sh", bad)}bash < f.sh`,
    `${heredoc("f.sh", bad)}cat f.sh | sh`,
    `${heredoc("f.sh", bad)}eval "$(cat f.sh)"`,
    `${heredoc("f.sh", bad)}eval "$(< f.sh)"`,
    `${heredoc("f.sh", bad)}bash -c "$(cat f.sh)"`,
    `${heredoc("f.sh", bad)}sudo -E bash -x f.sh now`,
    `${heredoc("f.sh", bad)}nohup ./f.sh &`,
    `${heredoc("f.sh", bad)}env -i ./f.sh`,
    `${heredoc("f.sh", bad)}timeout 5 ./f.sh`,
    `${heredoc("f.sh", bad)}crontab f.sh`,
    `${heredoc("f.sh", bad)}at -f f.sh now`,
    `${heredoc("f.sh", bad)}find . -name f.sh -exec bash {} \\;`,
    `${heredoc("f.sh", bad)}for f in *.sh; do bash $f; done`,
    `${heredoc("f.sh", bad)}ls *.sh | xargs -n1 bash`,
    `${heredoc("f.sh", bad)}bash /home/dev/app/f.sh`,
    `${heredoc("f.sh", bad)}cd src; bash ../f.sh`,
    `${heredoc("f.sh", bad)}bash F.SH`,
    `${heredoc("f.sh", bad)}bash /proc/self/root/home/dev/app/f.sh`,
    `${heredoc("f.sh", `#!/bin/bash\n${bad}`)}./f.sh`,
    `${heredoc("f", `#!/usr/bin/env bash\n${bad}`)}./f`,
    `${heredoc("f", `#!/usr/bin/env -S bash -e\n${bad}`)}./f`,
    `echo '${bad}' > f; bash f`,
    `echo '${bad}' >| f; bash f`,
    `printf 'rm -rf %s\\n' /etc > f; bash f`,
    `printf rm > f; echo ' -rf /etc' >> f; bash f`,
    `echo '${bad}' | tee f; bash f`,
    `echo '${bad}' | sudo tee f > /dev/null; bash f`,
    `echo '${bad}' | tee -a f; bash f`,
    `echo '${bad}' | dd of=f; bash f`,
    `{ echo ls; echo '${bad}'; } > f; bash f`,
    `( echo '${bad}' ) > f; bash f`,
    `g() { echo '${bad}'; }; g > f; bash f`,
    `bash -c "echo '${bad}'" > f; bash f`,
    `echo cm0gLXJmIC9ldGMK | base64 -d > f; sh f`,
    `echo cm0gLXJmIC9ldGMK > b; base64 -d b > f; sh f`,
    `echo '${bad}' > a; cp a f; bash f`,
    `echo '${bad}' > a; mv a f; bash f`,
    `echo '${bad}' > a; mkdir d; mv a d; bash d/a`,
    `echo '${bad}' > a; cp -t d a; bash d/a`,
    `echo '${bad}' > a; ln -s a f; bash f`,
    `ln -s a f; echo '${bad}' > a; bash f`,
    `echo '${bad}' > a; install -m 755 a f; ./f`,
    `mkdir s; echo '${bad}' > s/a; cp -r s t; bash t/a`,
    `echo '${bad}' > a; cat a > f; bash f`,
    `echo '${bad}' > a; dd if=a of=f; bash f`,
    `f=$(mktemp); echo '${bad}' > "$f"; bash "$f"`,
    `d=$(mktemp -d); echo '${bad}' > $d/x; bash $d/x`,
    `f=/tmp/$$.sh; echo '${bad}' > $f; bash $f`,
    `f=/tmp/x; echo '${bad}' > $f && bash $f`,
    `cd "$D"; echo '${bad}' > f; bash f`,
    `if test -f x; then echo '${bad}' > f; else echo ls > f; fi; bash f`,
    `echo '${bad}' > f; test -f x && echo ls > f; bash f`,
    `echo 'bash b' > a; echo '${bad}' > b; bash a`,
    `echo '${bad}' > go1; PATH=.:$PATH; go1`,
    `echo '${bad}' > ls; PATH=.:$PATH; ls`,
    `echo '* * * * * ${bad}' > c; crontab c`,
    `echo '@reboot ${bad}' | crontab -`,
    `echo '${bad}' | at now + 1 minute`,
    `echo /etc > list; xargs -a list rm -rf`,
    `echo /etc > list; xargs --arg-file=list rm -rf`,
    `${heredoc("f.sh", "rm -rf $1")}bash f.sh /etc`,
    `cat > f <<E\nrm -rf $UNKNOWN/etc\nE\nbash f`,
    `bash -c 'echo "${bad}" > f'; bash f`,
  ])("%s deletes", (command) => {
    expect(deleted(command)).toContain("/etc recursive");
  });

  it.each([
    `${heredoc("f.sh", "rm -rf dist")}bash f.sh`,
    `${heredoc("f.sh", `echo '${bad}'`)}bash f.sh`,
    `${heredoc("notes.md", bad)}cat notes.md`,
    `${heredoc("notes.md", bad)}git add notes.md`,
    `${heredoc("notes.md", bad)}grep -n rm notes.md`,
    `${heredoc("notes.md", bad)}wc -l < notes.md`,
    `${heredoc("notes.md", bad)}cp notes.md docs/notes.md`,
    `echo '${bad}' >> notes.md; bash build.sh`,
    `echo '${bad}' > notes.md; cat notes.md | sort | head -3`,
    `echo '${bad}' > a; echo ls > b; bash b`,
    `${heredoc("src/a.test.ts", `it("${bad}")`)}npx vitest run src/a.test.ts`,
    `cat > msg <<'E'\n${bad}\nE\ngit commit -F msg`,
  ])("%s does not", (command) => {
    expect(deleted(command)).not.toContain("/etc recursive");
  });

  it("what is written and run is understood, and cites the commands inside", () => {
    const reading = bash(`${heredoc("f.sh", "npm ci\nls")}bash f.sh`);
    expect(programs(reading)).toEqual(["cat", "bash", "bash npm", "bash ls"]);
    expect(programs(bash("echo ls > f; chmod +x f; ./f"))).toEqual(["echo", "chmod", "sh", "sh ls"]);
    expect(bash("echo ls > f; bash f").understanding).toBe("understood");
  });

  it.each([
    "date > f; bash f",
    "git show HEAD:x > f; bash f",
    "sed s/a/b/ x > f; sh f",
    "cat > f <<E\n$UNKNOWN\nE\nbash f",
    "echo ls > f; sed -i s/ls/x/ f; bash f",
    "echo ls >> f; bash f",
    "echo ls > a; cp other a; bash a",
  ])("%s runs a file whose text is not known, and says so", (command) => {
    const reading = bash(command);
    expect(reading.understanding).toBe("opaque");
    expect(reading.doubts.map((doubt) => doubt.reason)).toContain("a file is run whose text is not known");
  });

  it("scripts that run themselves or each other end", () => {
    expect(bash("echo './f' > f; ./f").understanding).toBe("understood");
    expect(bash("echo 'bash b' > a; echo 'bash a' > b; bash a").understanding).toBe("understood");
    const chain = Array.from({ length: 200 }, (_, i) => `printf '#!./s${i + 1}\\n' > s${i}; `).join("");
    expect(bash(`${chain}./s0`).understanding).toBe("unknown");
  });

  it("many files and long chains stay linear", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => `echo x${i} > f${i}; bash f${i}; `).join("");
    expect(fasterThanLinear((count) => unitsOf(() => bash(many(count))), 100)).toBeUndefined();
    // Each `>>` looks at the text so far, 64 of its units at a time: from 500 on that would begin to show.
    const growing = (count: number) => `${"echo 0123456789 >> f; ".repeat(count)}bash f`;
    expect(fasterThanLinear((count) => unitsOf(() => bash(growing(count))), 125)).toBeUndefined();
  });
});

describe("copies, links and aliases of programs (class 2)", () => {
  it.each([
    "cp /bin/rm t && ./t -rf /etc",
    "cp /usr/bin/rm /tmp/t; /tmp/t -rf /etc",
    "ln -s /bin/rm x; ./x -rf /etc",
    "ln -s $(which rm) x; ./x -rf /etc",
    'cp "$(command -v rm)" x; ./x -rf /etc',
    "install -m 755 /bin/rm x; ./x -rf /etc",
    "cat /bin/rm > t; chmod +x t; ./t -rf /etc",
    "dd if=/bin/rm of=t; ./t -rf /etc",
    "cp /bin/rm t; mv t u; ./u -rf /etc",
    "cp /bin/rm t; ln -s t u; ./u -rf /etc",
    "cp /bin/rm bin/; bin/rm -rf /etc",
    "cp /bin/bash b; ./b -c 'rm -rf /etc'",
    "cp /bin/rm /tmp/zap; PATH=/tmp:$PATH; zap -rf /etc",
    "alias x=rm; x -rf /etc",
    "alias x='rm -rf'; x /etc",
    "alias ls='rm -rf'; ls /etc",
  ])("%s is still that program", (command) => {
    expect(deleted(command)).toContain("/etc recursive");
  });

  it.each([
    "cp /bin/rm t; ./u -rf /etc",
    "alias ll='ls -l'; ll /etc",
    "cp rm.md t; cat t",
    "alias x=rm; echo x -rf /etc",
  ])("%s is not", (command) => {
    expect(deleted(command)).not.toContain("/etc recursive");
  });
});
