import { type HeldAttack, heldAttacks, hostTitles } from "../../test/attacks/held.ts";
import { type AttackRow, attackClasses } from "../../test/attacks/rows/row.ts";
import { attackRows } from "../../test/attacks/rows/rows.ts";
import { code, generatedFrom, type Page, table } from "../generate/page.ts";

/** Attacks on the process round the rules: by class, each with its control, what the guard did, and its test. */
export const page: Page = {
  path: "docs/reference/attacks.md",
  render() {
    const intro =
      "Attacks on the process round the rules: how it is delayed, replaced or disarmed. Each one is carried out by a test, beside\n" +
      "a control that shows that it works where nobody guards. What stands here for a real host was seen in its last run\n" +
      `(${hostTitles().join(", ")}; \`npm run test:attacks\` writes \`test/attacks/held.json\`); the other rows name tests of \`npm test\` and\n` +
      "`npm run test:heavy`.\n" +
      "A row whose case or test is not there fails `test/attacks/rows.test.ts`. [SECURITY.md](../../SECURITY.md) says what is\n" +
      "promised and what is not.";
    const parts = attackClasses.map((name) => {
      const real = heldAttacks().filter((one) => one.class === name);
      const rows = attackRows.filter((row) => row.class === name);
      return `## ${name[0]?.toUpperCase()}${name.slice(1)} (${real.length + rows.length})\n\n${table(head, [...real.map(realRow), ...rows.map(ownRow)])}`;
    });
    return `${generatedFrom("test/attacks/")}\n# Attacks\n\n${intro}\n\n${parts.join("\n\n")}\n`;
  },
};

const head = ["host", "attack", "control", "guarded", "test"] as const;

function realRow({ host, title, control, guarded, id }: HeldAttack): readonly string[] {
  return [host, title, control, guarded, code(`npm run test:attacks: ${id}`)];
}

function ownRow({ host, attack, control, guarded, closable, tests }: AttackRow): readonly string[] {
  return [host, attack, control, closable ? guarded : `**not closable**: ${guarded}`, tests.map(code).join("<br>")];
}
