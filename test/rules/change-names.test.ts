import { describe, expect, it } from "vitest";
import { changeNames } from "../../rules/change-names.ts";
import { shownText } from "../../schema/approximation.ts";
import { bash } from "../facts/effects/judge.ts";

describe("names of changes", () => {
  it.each(changeNames)("$call makes the change $target", ({ call, target }) => {
    const made = (bash(call).effects?.config ?? []).map((change) => shownText(change.target));
    expect(made).toContain(target);
  });

  it.each(changeNames)("$target has the form $form", ({ form, target }) => {
    const pattern = form.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replace(/<[^>]+>/g, "\\S+");
    expect(target).toMatch(new RegExp(`^${pattern}$`));
  });
});
