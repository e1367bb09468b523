import { isJsonObject, type JsonObject } from "../base/json/json.ts";

/** The user on whose behalf a request comes, as the layer `sign-in` leaves it in `call.user`. */
export interface SignedInUser {
  /** The id of the user's record, as text. */
  readonly id: string;
  readonly roles: readonly string[];
  /** The claims of the user by their names, `roles` among them where they are configured. */
  readonly claims: JsonObject;
}

/** The signed-in user of a request; undefined for public requests. Other guards leave users of other forms. */
export function signedInUser({ user }: { readonly user: unknown }): SignedInUser | undefined {
  return isSignedIn(user) ? user : undefined;
}

function isSignedIn(user: unknown): user is SignedInUser {
  if (typeof user !== "object" || user === null) return false;
  const { id, roles, claims } = user as { readonly [name in keyof SignedInUser]?: unknown };
  return typeof id === "string" && Array.isArray(roles) && isJsonObject(claims);
}
