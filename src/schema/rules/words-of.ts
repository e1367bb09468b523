/** The words of a field's name: `firstName`, `first_name` and `first-name` are all `first name`. */
export function spacedWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[^\p{L}\d]+/gu, " ")
    .trim()
    .toLowerCase();
}
