import type { DescribedPaths, ServerFacts } from "../../../openapi/facts.ts";
import type { SettingsByCollection } from "../../../store/collection-settings.ts";
import type { Description } from "../description.ts";

/** Facts that a description of the API needs beside the data. */
export interface ApiFacts extends ServerFacts {
  readonly version: string;
  readonly url: string;
  readonly description: Description;
  readonly collections: SettingsByCollection;
  readonly rules: Readonly<Record<string, string>>;
  /** The routes of features, described by themselves. */
  readonly described: readonly DescribedPaths[];
  /** Names that built-in routes keep for themselves. */
  readonly hiddenNames: readonly string[];
}
