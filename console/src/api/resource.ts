import { asRefusal, type Refusal } from "./refusal.ts";

/** Something of the server: on its way, switched off there, not loaded, or here. */
export type Resource<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "off"; readonly refusal: Refusal }
  | {
      readonly kind: "failed";
      readonly refusal: Refusal;
      /** The state before, which may be out of date. */
      readonly last?: T;
    }
  | { readonly kind: "ready"; readonly value: T };

/** Features that are off stay off until the server starts again. */
const OFF_CODES = ["ROUTE_NOT_FOUND", "SANDBOXES_OFF"];

/** The value, even one that may be out of date; undefined if there never was one. */
export function lastOf<T>(resource: Resource<T>): T | undefined {
  if (resource.kind === "ready") return resource.value;
  return resource.kind === "failed" ? resource.last : undefined;
}

/** Why it is not here, or not up to date. */
export function refusalIn(resource: Resource<unknown>): Refusal | undefined {
  return resource.kind === "failed" || resource.kind === "off" ? resource.refusal : undefined;
}

/** The state after a failure; the last value is kept. */
export function failed<T>(before: Resource<T>, thrown: unknown): Resource<T> {
  const refusal = asRefusal(thrown);
  if (OFF_CODES.includes(refusal.code)) return { kind: "off", refusal };
  const last = lastOf(before);
  return { kind: "failed", refusal, ...(last !== undefined && { last }) };
}
