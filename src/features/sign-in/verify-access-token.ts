import { decodeJwt, errors, type JWTPayload } from "jose";
import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json/json.ts";
import type { SignedInUser } from "../../http/signed-in-user.ts";
import { tokenExpired, tokenRefused } from "../../layers/sign-in.ts";
import { OWN_CLAIM } from "./issue-tokens.ts";
import type { IssuerView } from "./issuer.ts";
import type { Realm, Subject } from "./realm.ts";

/** An access token that holds. */
export interface AdmittedToken {
  readonly payload: JWTPayload;
  readonly user: SignedInUser;
  /** For the history and the log. */
  readonly name: string;
}

/** The most tokens whose signature is remembered: judging one takes longer than all the rest of a request. */
const MAX_REMEMBERED = 1000;

/** Judges access tokens. The signature is judged once, everything that can change each time. */
export class AccessTokens {
  readonly #judged = new Map<string, JWTPayload>();

  /** Throws a 401 that says why the token does not hold. */
  async verify(token: string, view: IssuerView): Promise<AdmittedToken> {
    const { issuer, options, realm, now } = view;
    const payload = this.#judged.get(token) ?? (await this.#judge(token, view));
    if (payload.iss !== issuer) throw foreignIssuer(payload.iss, issuer);
    if (![payload.aud].flat().includes(options.audience)) {
      throw tokenRefused(
        `The token is for ${JSON.stringify(payload.aud)}, this server is ${JSON.stringify(options.audience)}.`,
      );
    }
    if (payload.nbf !== undefined && payload.nbf > now) throw tokenRefused("The token is not valid yet.");
    expectUnended(payload, realm, now);
    const subject = subjectOf(payload);
    if (!subject) return ofClient(payload, view);
    const user = await realm.find(subject);
    if (!user) throw userGone();
    // What the record says now: a role that was taken away must not last as long as the token.
    const { id, roles, claims, name } = user;
    return { payload, user: { id, roles, claims }, name };
  }

  async #judge(token: string, { keys, issuer }: IssuerView): Promise<JWTPayload> {
    try {
      // The server's own clock judges the times, above; jose's would be another.
      const payload = await keys.verify(token, { typ: "at+jwt", currentDate: new Date(issuedAt(token)) });
      if (this.#judged.size >= MAX_REMEMBERED) this.#judged.clear();
      this.#judged.set(token, payload);
      return payload;
    } catch (thrown) {
      // Such as a database that cannot be reached: it says nothing about the token.
      if (thrown instanceof StandinError) throw thrown;
      const found = readIssuer(token);
      if (found !== undefined && found !== issuer) throw foreignIssuer(found, issuer);
      const why = thrown instanceof errors.JOSEError ? ` (${thrown.message})` : "";
      throw tokenRefused(`The token was not issued here, or was changed${why}.`);
    }
  }
}

/** Whether an error says that a token does not hold, and not that nobody can tell now. */
export function isRefusal(thrown: unknown): thrown is StandinError {
  return thrown instanceof StandinError && thrown.status === 401;
}

/** Throws if a token that was admitted has ended since, as far as it can be told at once. */
export function expectUnended(payload: JWTPayload, realm: Realm, now: number): void {
  if (payload.exp === undefined || payload.exp <= now) throw tokenExpired();
  if (realm.revoked.has(String(ownClaims(payload).family)) || realm.revoked.has(String(payload.jti))) {
    throw tokenRefused("The token was revoked. Sign in again.");
  }
  const subject = subjectOf(payload);
  if (subject && !realm.isAround(subject)) throw userGone();
}

/** The user whom a token is for; undefined for that of a program. */
function subjectOf(payload: JWTPayload): Subject | undefined {
  const { born, client } = ownClaims(payload);
  return client === true ? undefined : { id: payload.sub ?? "", born: String(born) };
}

function ownClaims({ [OWN_CLAIM]: own }: JWTPayload): JsonObject {
  return isJsonObject(own) ? own : {};
}

export function userGone(): StandinError {
  return tokenRefused("The token's user was deleted, or all data was replaced since. Sign in again.");
}

/** A moment at which the token's times hold, whatever they are. */
function issuedAt(token: string): number {
  const { exp = 0, nbf } = decodeJwt(token);
  return (nbf ?? exp - 1) * 1000;
}

function readIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** A program that signed in as itself is no user: no record's id is its own. */
function ofClient(payload: JWTPayload, { options }: IssuerView): AdmittedToken {
  const client = options.clients.find(({ id }) => id === payload.sub);
  if (!client) throw tokenRefused("The token's client is no longer listed.");
  const { id, roles } = client;
  return { payload, user: { id: `client:${id}`, roles, claims: { client_id: id, roles: [...roles] } }, name: id };
}

function foreignIssuer(found: string | undefined, issuer: string): StandinError {
  return tokenRefused(
    `The token's issuer is ${JSON.stringify(found ?? null)}, this server's is ${JSON.stringify(issuer)}.`,
  );
}
