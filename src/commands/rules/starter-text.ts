import { renderRules, StarterRules } from "../../schema/rules/starter-rules.ts";
import { IdKeys } from "../../store/id-keys.ts";
import { readSource, type SourceReadOptions } from "../../store/sources/read-source.ts";

interface StarterOptions extends SourceReadOptions {
  readonly foreignKeySuffix?: string | undefined;
  /** Adds the ranges of numbers, text lengths and list sizes. */
  readonly ranges?: boolean;
}

/** The text of a rules file that the data of a source meets. `warn` is told what rules cannot say as well. */
export async function starterText(source: string, options: StarterOptions): Promise<string> {
  const { foreignKeySuffix, ranges = false, ...reading } = options;
  const idKeys = IdKeys.from(reading);
  const starter = new StarterRules({
    idKeyOf: (name) => idKeys.of(name),
    foreignKeySuffix,
    ranges,
    note: reading.warn,
  });
  await readSource(source, reading, async (read) => {
    for await (const member of read()) {
      if (member.kind === "collection") await starter.addCollection(member.name, member.values);
      else if (member.kind === "singleton") starter.addSingleton(member.name, member.value);
    }
  });
  return renderRules(starter.finish());
}
