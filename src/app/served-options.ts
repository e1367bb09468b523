import { StartError } from "../base/errors.ts";
import type { ServeOptions } from "../config/options.ts";
import { loadedSource } from "../store/sources/served-source.ts";
import { expectOptions } from "./expect-options.ts";
import { type StandinOptions, serveOptionsOf } from "./program-options.ts";

interface ServedOptions {
  readonly options: ServeOptions;
  /** The OpenAPI document in front of the data; undefined for data alone. */
  readonly document: string | undefined;
}

/** The options of a program in the words of the option table, with the data of an OpenAPI document as the source. */
export async function servedOptions(given: StandinOptions<object>): Promise<ServedOptions> {
  expectOptions(given);
  const options = serveOptionsOf(given);
  if (given.source === undefined) return { options, document: undefined };
  const data = typeof given.data === "string" ? given.data : undefined;
  const { source, document } = await loadedSource({ source: given.source, data });
  if (document === undefined && given.data !== undefined) throw new StartError("Give either source or data.");
  return { options: { ...options, source }, document };
}
