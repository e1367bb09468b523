import Negotiator from "negotiator";

/** The one that the client likes best; JSON, else the first, where it does not say. */
export function preferredType(types: readonly string[], accept: string | undefined): string {
  const json = types.includes("application/json") ? "application/json" : types[0]!;
  if (accept === undefined) return json;
  return new Negotiator({ headers: { accept } }).mediaType([json, ...types]) ?? json;
}
