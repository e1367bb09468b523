import type { Call } from "../../http/call.ts";
import type { Reply } from "../../http/response/reply.ts";
import { PROMPTS, RESPONSE_MODES, SCOPES } from "./authorize.ts";
import { askedAddress, type IssuerView } from "./issuer.ts";

const CLIENT_AUTHENTICATION = ["none", "client_secret_basic", "client_secret_post"];

/**
 * Describes the issuer (OpenID Connect Discovery, RFC 8414). The page where users sign in stays at the issuer's own address;
 * the other endpoints are given under the host that was asked, such as a container's service name.
 */
export function discovery(call: Call, { issuer, options, keys }: IssuerView): Reply {
  const here = askedAddress(call);
  const called = sameHost(here, issuer) ? issuer : here;
  return {
    status: 200,
    json: JSON.stringify({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      end_session_endpoint: `${called}/logout`,
      token_endpoint: `${called}/token`,
      userinfo_endpoint: `${called}/userinfo`,
      jwks_uri: `${called}/jwks`,
      introspection_endpoint: `${called}/introspect`,
      revocation_endpoint: `${called}/revoke`,
      response_types_supported: ["code"],
      response_modes_supported: RESPONSE_MODES,
      grant_types_supported: options.grants,
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: [keys.algorithm],
      scopes_supported: SCOPES,
      claims_supported: ["sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", ...Object.keys(options.claims)],
      prompt_values_supported: PROMPTS,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
      introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION.slice(1),
      revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
      authorization_response_iss_parameter_supported: true,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      claims_parameter_supported: false,
    }),
  };
}

function sameHost(here: string, issuer: string): boolean {
  return new URL(here).origin === new URL(issuer).origin;
}
