import { CORE_SCHEMA, dump, load, YAMLException } from "js-yaml";
import type { Json } from "../../../base/json/json.ts";
import type { DataFormat } from "./data-format.ts";

/** Data in YAML. */
export const yamlFormat: DataFormat = {
  parse(text) {
    try {
      // What JSON cannot say, such as NaN, is null.
      return JSON.parse(JSON.stringify(load(text, { schema: CORE_SCHEMA }) ?? null)) as Json;
    } catch (thrown) {
      if (!(thrown instanceof YAMLException) || !thrown.mark) throw thrown;
      const { line, column } = thrown.mark;
      throw new Error(`line ${line + 1}, column ${column + 1}: ${thrown.reason}.`);
    }
  },
  render: (value) => dump(value, { schema: CORE_SCHEMA, lineWidth: -1, noRefs: true }),
  /** A `#` may be part of a text. It begins a comment where the data is the same without it. */
  commentLine(text) {
    // The parser refuses empty text, which is data without collections.
    if (text.trim() === "") return undefined;
    const lines = text.split("\n");
    const whole = JSON.stringify(this.parse(text));
    const at = lines.findIndex((line, position) => {
      const start = /(?:^|\s)#/.exec(line);
      return start && isSame(whole, () => this.parse(lines.with(position, line.slice(0, start.index)).join("\n")));
    });
    return at === -1 ? undefined : at + 1;
  },
};

function isSame(whole: string, parse: () => Json): boolean {
  try {
    return JSON.stringify(parse()) === whole;
  } catch {
    return false;
  }
}
