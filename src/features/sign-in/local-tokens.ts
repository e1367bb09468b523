import { isJsonObject, type Json } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { signFaulty, TOKEN_FAULTS, type TokenFault } from "./faulty-token.ts";
import { accessClaims, ownOf } from "./issue-tokens.ts";
import type { IssuerView } from "./issuer.ts";
import { OAuthError } from "./oauth-error.ts";
import { type Realm, randomName } from "./realm.ts";
import type { TokenOptions } from "./types.ts";

const KNOWN = ["user", "expiresIn", "fault", "client", "scope"];
const MAX_SECONDS = 10 * 365 * 86_400;

/** An access token of a user without a page, whole or with a fault, for tests and for the console. */
export async function tokenFor(view: IssuerView, name: string, options: TokenOptions = {}): Promise<string> {
  const { expiresIn, fault, client, scope = "openid" } = options;
  const { realm, now } = view;
  const user = await realm.users.byName(name);
  if (!user) {
    throw new OAuthError("invalid_request", await whyUnknown(realm, name));
  }
  const claims = accessClaims(view, {
    sub: user.id,
    clientId: client ?? view.options.clients[0]?.id ?? "standin",
    scope,
    claims: user.claims,
    own: ownOf(realm.subjectOf(user), randomName()),
    authTime: now,
    ...(expiresIn !== undefined && { seconds: expiresIn }),
  });
  return fault === undefined ? view.keys.sign(claims, "at+jwt") : signFaulty(view, claims, fault);
}

async function whyUnknown({ users }: Realm, name: string): Promise<string> {
  const alike = (await users.list(name)).users.filter((one) => one.name === name);
  if (alike.length > 1) return `Several users are called ${JSON.stringify(name)}. Give each another name.`;
  const names = (await users.list()).users.map((one) => one.name);
  return `There is no user ${JSON.stringify(name)}.${didYouMean(name, names)}`;
}

/** Reads the body of `POST /__oidc/tokens`. */
export function readTokenRequest(body: Json | undefined): { readonly user: string; readonly options: TokenOptions } {
  const given = isJsonObject(body) ? body : {};
  const unknown = Object.keys(given).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) throw invalid(`${JSON.stringify(unknown)} is not known.${didYouMean(unknown, KNOWN)}`);
  const { user, expiresIn, fault, client, scope } = given;
  if (typeof user !== "string") throw invalid('Send a JSON object with the name of a "user".');
  if (
    expiresIn !== undefined &&
    !(Number.isInteger(expiresIn) && Number(expiresIn) > 0 && Number(expiresIn) <= MAX_SECONDS)
  ) {
    throw invalid('"expiresIn" must be a whole number of seconds.');
  }
  for (const text of [client, scope]) {
    if (text !== undefined && typeof text !== "string") throw invalid('"client" and "scope" must be strings.');
  }
  return {
    user,
    options: {
      ...(typeof expiresIn === "number" && { expiresIn }),
      ...(fault !== undefined && { fault: readTokenFault(fault) }),
      ...(typeof client === "string" && { client }),
      ...(typeof scope === "string" && { scope }),
    },
  };
}

function readTokenFault(given: Json): TokenFault {
  const fault = TOKEN_FAULTS.find((one) => one === given);
  if (fault) return fault;
  throw invalid(`"fault" must be one of ${TOKEN_FAULTS.join(", ")}.`);
}

function invalid(description: string): OAuthError {
  return new OAuthError("invalid_request", description);
}
