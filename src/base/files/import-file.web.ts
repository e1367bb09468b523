import { StandinError } from "../errors.ts";

export function importFile(file: string): never {
  throw new StandinError(
    "OPTION_UNAVAILABLE",
    `There are no files here, so ${file} cannot be loaded. Give the object itself.`,
  );
}
