import type { JWTPayload } from "jose";
import type { JsonObject } from "../../base/json/json.ts";
import type { IssuerView } from "./issuer.ts";
import { keepEntry, type Permit, randomName, type Subject } from "./realm.ts";
import type { IssuedUser } from "./sign-in-users.ts";

/** The claim that ties a token to the record it was made for. */
export const OWN_CLAIM = "standin";

/** The token response of RFC 6749, 5.1. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
  readonly scope: string;
  readonly id_token?: string;
  readonly refresh_token?: string;
}

/** The facts of an access token. */
export interface AccessFacts {
  readonly sub: string;
  readonly clientId: string;
  readonly scope: string;
  readonly claims: JsonObject;
  readonly own: JsonObject;
  readonly authTime?: number;
  readonly seconds?: number;
}

export function accessClaims({ issuer, options, now }: IssuerView, facts: AccessFacts): JWTPayload {
  const { sub, clientId, scope, claims, own, authTime, seconds = options.accessSeconds } = facts;
  return {
    ...claims,
    iss: issuer,
    sub,
    aud: options.audience,
    iat: now,
    exp: now + seconds,
    jti: randomName(),
    client_id: clientId,
    ...(scope !== "" && { scope }),
    ...(authTime !== undefined && { auth_time: authTime }),
    [OWN_CLAIM]: own,
  };
}

/** The parts of an access token that tell whose it is. */
export function ownOf({ born }: Subject, family: string): JsonObject {
  return { born, family };
}

/** Issues everything that a permit allows: access token, ID token for `openid`, refresh token for `offline_access`. */
export async function issueTokens(view: IssuerView, user: IssuedUser, permit: Permit): Promise<TokenResponse> {
  const { options, keys, realm, now } = view;
  const { scope, subject, clientId, authTime, family } = permit;
  const scopes = scope.split(" ");
  // Kept before anything is awaited: the user may be deleted meanwhile, which must end it, too.
  const refreshToken = scopes.includes("offline_access") ? randomName() : undefined;
  if (refreshToken !== undefined) {
    const endsAt = now + options.refreshSeconds;
    keepEntry(realm.refreshTokens, refreshToken, { ...permit, endsAt, isUsed: false });
  }
  const own = ownOf(subject, family);
  const access = accessClaims(view, { sub: user.id, clientId, scope, claims: user.claims, own, authTime });
  return {
    access_token: await keys.sign(access, "at+jwt"),
    token_type: "Bearer",
    expires_in: options.accessSeconds,
    scope,
    ...(scopes.includes("openid") && { id_token: await idToken(view, user, permit) }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
  };
}

function idToken({ issuer, options, keys, now }: IssuerView, user: IssuedUser, permit: Permit): Promise<string> {
  const { clientId, authTime, nonce, session } = permit;
  const payload: JWTPayload = {
    ...user.claims,
    iss: issuer,
    sub: user.id,
    aud: clientId,
    iat: now,
    exp: now + options.accessSeconds,
    auth_time: authTime,
    ...(nonce !== undefined && { nonce }),
    ...(session !== undefined && { sid: session.slice(0, 12) }),
  };
  return keys.sign(payload, "JWT");
}
