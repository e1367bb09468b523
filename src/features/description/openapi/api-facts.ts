import type { ErrorCode } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json/json.ts";
import type { DescribedPaths, ServerFacts } from "../../../openapi/write/facts.ts";
import { reference } from "../../../openapi/write/parts.ts";
import type { DescribedMember, Description } from "../../../schema/description/description.ts";
import type { DescribedTypes } from "../../../schema/description/types/describe-types.ts";
import type { SettingsByCollection } from "../../../store/collection-settings.ts";

/** Facts that a description of the API needs beside the data. */
export interface ApiFacts extends ServerFacts {
  readonly version: string;
  readonly url: string;
  readonly description: Description;
  readonly collections: SettingsByCollection;
  readonly rules: Readonly<Record<string, string>>;
  /** The codes of layers that are not listed. */
  readonly codesOfOtherLayers: readonly ErrorCode[];
  /** The routes of features, described by themselves. */
  readonly described: readonly DescribedPaths[];
  /** Names that built-in routes keep for themselves. */
  readonly hiddenNames: readonly string[];
}

/** The same, for the parts of one document. */
export interface DocumentFacts extends ApiFacts {
  /** The schemas of records and bodies, by name. */
  readonly schemas: JsonObject;
  readonly types: DescribedTypes;
}

/** The body of a write: one of its own where rules judge it, that of a new record otherwise. */
export function bodyReference({ typeName }: DescribedMember, form: BodyForm, { schemas }: DocumentFacts): JsonObject {
  const formName = `${typeName}.${form}`;
  return reference("schemas", Object.hasOwn(schemas, formName) ? formName : `${typeName}.Input`);
}

type BodyForm = "Input" | "Replacement" | "Patch" | `Input_of_${string}`;
