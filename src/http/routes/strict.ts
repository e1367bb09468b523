import { StandinError } from "../../errors.ts";
import { didYouMean } from "../../nearest.ts";
import type { Preferences } from "../../prefer.ts";
import type { Parameters } from "../../query/parameters.ts";
import { PARAMETERS } from "../../query/parse-query.ts";
import type { FieldSelection } from "../../query/query.ts";
import { unknownField } from "../../store/unknown-field.ts";
import { type RelationNames, refuseUnknownRelations } from "../relations/unknown-relations.ts";
import type { Service } from "../service.ts";

/** Whether a request asks for unknown names to be refused: `Prefer: handling=strict`. */
export function isStrict(preferences: Preferences | undefined): boolean {
  return preferences?.get("handling")?.toLowerCase() === "strict";
}

export interface RecordWish extends RelationNames {
  readonly fields: FieldSelection | undefined;
  readonly parameters: Parameters;
}

/** Refuses what a request for one record names in vain. */
export async function refuseUnknown(service: Service, wish: RecordWish): Promise<void> {
  const { collection, embed, expand, fields, parameters } = wish;
  const unknown = [...parameters.keys()].find((name) => name.startsWith("_") && !PARAMETERS.includes(name));
  if (unknown !== undefined) throw unknownParameter(unknown);
  await refuseUnknownRelations(service, wish);
  const added = new Set([...embed, ...expand].map((name) => name.split(".")[0]));
  const paths = (fields?.paths ?? []).filter(({ segments }) => !added.has(segments[0])).map(({ text }) => text);
  if (paths.length === 0) return;
  const held = await service.store.heldPaths(collection, paths);
  const missing = paths.find((path) => !held.has(path));
  if (missing !== undefined) throw unknownField(collection, missing, []);
}

function unknownParameter(name: string): StandinError {
  return new StandinError("QUERY_INVALID", `There is no parameter "${name}".${didYouMean(name, PARAMETERS)}`);
}
