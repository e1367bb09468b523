import type { StandinError } from "../../base/errors.ts";
import type { Call } from "../../http/call.ts";
import type { Reply } from "../../http/response/reply.ts";

/** Codes of RFC 6749, 6750 and OpenID Connect, with the status of each. */
const STATUS = {
  access_denied: 403,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_request: 400,
  invalid_scope: 400,
  invalid_token: 401,
  login_required: 400,
  server_error: 500,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
} as const;

export type OAuthCode = keyof typeof STATUS;

/** A refusal in OAuth's own form. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: OAuthCode;

  constructor(code: OAuthCode, description: string) {
    super(description);
    this.code = code;
  }

  get status(): number {
    return STATUS[this.code];
  }
}

const NO_STORE = { "Cache-Control": "no-store", Pragma: "no-cache" };

/** Tokens and what is said about them must not be kept by caches (RFC 6749, 5.1). */
export function privateReply(body: object, status = 200): Reply {
  return { status, json: JSON.stringify(body), headers: NO_STORE };
}

/** RFC 6749, 5.2: only a client that used the header `Authorization` is challenged to use it again. */
export function oauthReply({ code, message, status }: OAuthError, { headers }: Pick<Call, "headers">): Reply {
  const isChallenged = code === "invalid_token" || headers.authorization !== undefined;
  const challenge = isChallenged ? CHALLENGES[code] : undefined;
  const reply = privateReply({ error: code, error_description: message }, status);
  return challenge ? { ...reply, headers: { ...NO_STORE, "WWW-Authenticate": challenge } } : reply;
}

const CHALLENGES: Partial<Record<OAuthCode, string>> = {
  invalid_client: 'Basic realm="standin"',
  invalid_token: 'Bearer error="invalid_token"',
};

/** Any other refusal on the routes of the issuer, in the same form. */
export function asOAuth({ status, message, headers }: StandinError): Reply {
  const error = status >= 500 ? "server_error" : status === 403 ? "access_denied" : "invalid_request";
  return { status, json: JSON.stringify({ error, error_description: message }), headers: { ...NO_STORE, ...headers } };
}
