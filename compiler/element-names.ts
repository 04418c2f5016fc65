/**
 * Returns a text for people without the variables of quantifiers in YAML, which stand in the IR alone: a test in `some` names
 * the fields of the element itself.
 */
export function withoutElements(text: string): string {
  return text.replaceAll(/\belement\d+\.(?=[a-z])/g, "");
}
