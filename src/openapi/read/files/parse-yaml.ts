import {
  CORE_SCHEMA,
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  load,
  mapTag,
  mergeTag,
  seqTag,
  YAMLException,
} from "js-yaml";
import { messageOf, StartError } from "../../../base/errors.ts";
import type { Json } from "../../../base/json/json.ts";
import { MAX_DEPTH, refuseShape } from "./shape.ts";

/** Tags that the core of YAML does not know, such as `!Sub`, leave a value as it is. */
const UNKNOWN_TAGS = ["!", "tag:"].flatMap((prefix) => [
  defineScalarTag(prefix, { matchByTagPrefix: true, resolve: (source) => source, identify: () => false }),
  defineSequenceTag(prefix, { ...seqTag, matchByTagPrefix: true, identify: () => false }),
  defineMappingTag(prefix, { ...mapTag, matchByTagPrefix: true, identify: () => false }),
]);
const SCHEMA = CORE_SCHEMA.withTags(mergeTag, ...UNKNOWN_TAGS);
/** Each takes another reading of the whole text. */
const MAX_INDENTED = 32;

/** Parses YAML. The library is loaded with this file, only when it is needed. */
export function parseYaml(file: string, text: string): Json {
  try {
    const parsed = loadIndented(text);
    refuseShape(file, parsed);
    return parsed;
  } catch (thrown) {
    if (thrown instanceof StartError) throw thrown;
    if (!(thrown instanceof YAMLException)) throw new StartError(`${file} cannot be used: ${messageOf(thrown)}`);
    const { reason, mark } = thrown;
    const where = mark ? `line ${mark.line + 1}, column ${mark.column + 1}: ` : "";
    if (reason.includes("maxDepth")) throw new StartError(`${file}: ${where}nested deeper than ${MAX_DEPTH} levels.`);
    throw new StartError(`${file} is not valid YAML: ${where}${reason}.`);
  }
}

/** Other parsers accept quoted texts whose next line is indented too little, so documents have them. */
function loadIndented(given: string): Json {
  let text = given;
  for (let indented = 0; ; indented++) {
    try {
      return load(text, { schema: SCHEMA, maxDepth: MAX_DEPTH, maxTotalMergeKeys: 1_000_000 }) as Json;
    } catch (thrown) {
      const mark = thrown instanceof YAMLException && thrown.reason === "deficient indentation" && thrown.mark;
      if (!mark || indented === MAX_INDENTED) throw thrown;
      const start = text.lastIndexOf("\n", mark.position - 1) + 1;
      text = `${text.slice(0, start)}${" ".repeat(mark.column + 1)}${text.slice(start)}`;
    }
  }
}
