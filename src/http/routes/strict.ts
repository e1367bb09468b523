import { StandinError } from "../../errors.ts";
import { didYouMean } from "../../nearest.ts";
import type { Preferences } from "../../prefer.ts";
import type { Parameters } from "../../query/parameters.ts";
import { PARAMETERS } from "../../query/parse-query.ts";
import type { FieldSelection } from "../../query/query.ts";
import { unknownField } from "../../store/unknown-field.ts";
import { collectionOf, type RelatedCollection } from "../relations/relations.ts";
import type { Service } from "../service.ts";

/** Whether a request asks for unknown names to be refused: `Prefer: handling=strict`. */
export function isStrict(preferences: Preferences | undefined): boolean {
  return preferences?.get("handling")?.toLowerCase() === "strict";
}

/** Refuses relations that do not exist. */
export function refuseUnknownRelations({ store }: Service, { embed, expand }: RelatedCollection): void {
  const names = store.members().flatMap(({ name, kind }) => (kind === "collection" ? [name] : []));
  for (const name of embed) if (!names.includes(name)) throw unknownRelation("_embed", name, names);
  for (const name of expand) if (!names.includes(collectionOf(name))) throw unknownRelation("_expand", name, names);
}

function unknownRelation(parameter: string, name: string, names: readonly string[]): StandinError {
  return new StandinError(
    "QUERY_INVALID",
    `${parameter}=${name}: there is no such relation.${didYouMean(name, names)} Collections: ${names.join(", ")}.`,
  );
}

export interface RecordWish extends RelatedCollection {
  readonly fields: FieldSelection | undefined;
  readonly parameters: Parameters;
}

/** Refuses what a request for one record names in vain. */
export async function refuseUnknown(service: Service, wish: RecordWish): Promise<void> {
  const { collection, embed, expand, fields, parameters } = wish;
  const unknown = [...parameters.keys()].find((name) => name.startsWith("_") && !PARAMETERS.includes(name));
  if (unknown !== undefined) throw unknownParameter(unknown);
  refuseUnknownRelations(service, wish);
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
