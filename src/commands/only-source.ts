import { StartError } from "../base/errors.ts";
import { refuseDocument } from "../store/sources/served-source.ts";

/** The source of a command that reads one: its argument, otherwise that of the config file. */
export function onlySource(
  command: string,
  options: { readonly source: string },
  [source = options.source, ...extra]: readonly string[],
): string {
  if (extra.length > 0) throw new StartError(`${command} reads one source, but was given ${extra.length + 1}.`);
  refuseDocument(source, command);
  return source;
}
