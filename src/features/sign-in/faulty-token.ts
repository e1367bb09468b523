import type { JWTPayload } from "jose";
import type { IssuerView } from "./issuer.ts";

/** Ways in which a token can be wrong on purpose. */
export const TOKEN_FAULTS = [
  "expired",
  "not-yet",
  "wrong-issuer",
  "wrong-audience",
  "bad-signature",
  "unknown-key",
] as const;

export type TokenFault = (typeof TOKEN_FAULTS)[number];

const HOUR = 3600;

/** Signs an access token that has one fault, so that code under test can show how it refuses it. @internal */
export async function signFaulty(view: IssuerView, claims: JWTPayload, fault: TokenFault): Promise<string> {
  const { keys, now } = view;
  switch (fault) {
    case "expired":
      return keys.sign({ ...claims, iat: now - 2 * HOUR, exp: now - HOUR }, "at+jwt");
    case "not-yet":
      return keys.sign({ ...claims, nbf: now + HOUR, exp: now + 2 * HOUR }, "at+jwt");
    case "wrong-issuer":
      return keys.sign({ ...claims, iss: `${view.issuer}/another` }, "at+jwt");
    case "wrong-audience":
      return keys.sign({ ...claims, aud: `not-${view.options.audience}` }, "at+jwt");
    case "unknown-key":
      return keys.signAsStranger(claims, "at+jwt");
    case "bad-signature":
      return withOtherSignature(await keys.sign(claims, "at+jwt"));
  }
}

/** Changes a character in the middle: the last one may hold bits that do not count. */
function withOtherSignature(token: string): string {
  const at = token.lastIndexOf(".") + 20;
  return `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
}
