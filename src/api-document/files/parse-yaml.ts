import { parseDocument } from "yaml";
import { messageOf, StartError } from "../../errors.ts";
import type { Json } from "../../json.ts";
import { refuseShape } from "./shape.ts";

/** Parses YAML. The library is loaded with this file, only when it is needed. */
export function parseYaml(file: string, text: string): Json {
  try {
    const document = parseDocument(text, { merge: true, logLevel: "silent" });
    const [error] = document.errors;
    if (error) {
      if (/call stack/.test(error.message)) throw new RangeError(error.message);
      const [start] = error.linePos ?? [];
      const where = start ? `line ${start.line}, column ${start.col}: ` : "";
      throw new StartError(`${file} is not valid YAML. ${where}${error.message.split(" at line ", 1)[0]}.`);
    }
    const parsed = document.toJS() as Json;
    refuseShape(file, parsed);
    return parsed;
  } catch (thrown) {
    if (thrown instanceof StartError) throw thrown;
    const why = thrown instanceof RangeError ? "it is nested too deeply." : messageOf(thrown);
    throw new StartError(`${file} cannot be used: ${why}`);
  }
}
