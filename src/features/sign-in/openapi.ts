import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { COUNT, objectOf, TEXT } from "../../openapi/write/parts.ts";
import { describeRoutes } from "../../openapi/write/server-operations.ts";
import { TOKEN_FAULTS } from "./faulty-token.ts";

const USER = objectOf({ name: TEXT, roles: { type: "array", items: TEXT } });

/** The routes beside those that the issuer's discovery describes itself. */
export function signInPaths(facts: ServerFacts): DescribedPaths {
  const wanted = { user: TEXT, expiresIn: COUNT, fault: { enum: [...TOKEN_FAULTS] }, client: TEXT, scope: TEXT };
  const paths = describeRoutes(facts, {
    "/__oidc/.well-known/openid-configuration": {
      get: { id: "describeIssuer", summary: "The endpoints of the OpenID Connect issuer" },
    },
    "/__oidc/jwks": { get: { id: "listIssuerKeys", summary: "The public keys that its tokens are signed with" } },
    "/__oidc/tokens": {
      get: {
        id: "listTokenUsers",
        summary: "The users that tokens can be made for; from this machine only",
        schema: objectOf({ users: { type: "array", items: USER }, total: COUNT }),
      },
      post: {
        id: "makeToken",
        summary: "An access token of a user, whole or with a fault; from this machine only",
        body: objectOf(wanted, ["user"]),
        isBodyRequired: true,
        schema: objectOf({ access_token: TEXT, token_type: TEXT, expires_in: COUNT }),
        status: 201,
      },
    },
    "/__oidc/keys": {
      post: {
        id: "rotateIssuerKeys",
        summary: "Sign with a new key from now on; from this machine only",
        schema: objectOf({ kid: TEXT }),
        status: 201,
      },
    },
  });
  return { paths };
}
