import type { Call } from "../../http/call.ts";
import type { Reply } from "../../http/response/reply.ts";
import { authenticateClient } from "./authenticate-client.ts";
import { OWN_CLAIM } from "./issue-tokens.ts";
import type { IssuerView } from "./issuer.ts";
import { OAuthError, privateReply } from "./oauth-error.ts";
import type { Permit } from "./realm.ts";
import { type AccessTokens, type AdmittedToken, isRefusal } from "./verify-access-token.ts";

/** `/__oidc/userinfo`: the claims of the token's user, as the record has them now. */
export async function userinfo(call: Call, view: IssuerView, tokens: AccessTokens): Promise<Reply> {
  const [, token = ""] = /^Bearer +(.+)$/i.exec(call.headers.authorization ?? "") ?? [];
  if (token === "") throw new OAuthError("invalid_token", "Send Authorization: Bearer <access token>.");
  const { payload, user: bearer } = await admitted(token, view, tokens);
  // The token of a client names that, which may be called as a user is.
  const user = bearer.id === payload.sub ? await view.realm.users.byId(bearer.id) : undefined;
  if (!user || !String(payload.scope).split(" ").includes("openid")) {
    throw new OAuthError("invalid_token", "The token is not one of a user with the scope openid.");
  }
  return privateReply({ ...user.claims, sub: user.id });
}

async function admitted(token: string, view: IssuerView, tokens: AccessTokens): Promise<AdmittedToken> {
  try {
    return await tokens.verify(token, view);
  } catch (thrown) {
    throw isRefusal(thrown) ? new OAuthError("invalid_token", thrown.message) : thrown;
  }
}

/** `POST /__oidc/introspect` (RFC 7662), for clients with a secret. */
export async function introspect(call: Call, view: IssuerView, tokens: AccessTokens): Promise<Reply> {
  const form = new URLSearchParams(await call.bodyText());
  const client = authenticateClient(call, form, view.options.clients);
  if (client.secret === undefined) throw new OAuthError("invalid_client", "Only clients with a secret may ask this.");
  const token = form.get("token") ?? "";
  const permit = view.realm.refreshTokens.get(token);
  if (permit) return privateReply(await refreshFacts(permit, view));
  try {
    const { payload, name } = await tokens.verify(token, view);
    const { [OWN_CLAIM]: _, ...claims } = payload;
    return privateReply({ active: true, token_type: "Bearer", username: name, ...claims });
  } catch (thrown) {
    if (isRefusal(thrown)) return privateReply({ active: false });
    throw thrown;
  }
}

async function refreshFacts(
  { isUsed, family, endsAt, subject, clientId, scope }: Permit,
  view: IssuerView,
): Promise<object> {
  const { realm, now, issuer } = view;
  const user = await realm.find(subject);
  if (!user || isUsed || endsAt <= now || realm.revoked.has(family)) return { active: false };
  return {
    active: true,
    token_type: "refresh_token",
    iss: issuer,
    sub: user.id,
    client_id: clientId,
    scope,
    exp: endsAt,
  };
}

/** `POST /__oidc/revoke` (RFC 7009): a refresh token ends its family, an access token itself. Unknown ones are no error. */
export async function revoke(call: Call, view: IssuerView, tokens: AccessTokens): Promise<Reply> {
  const form = new URLSearchParams(await call.bodyText());
  const client = authenticateClient(call, form, view.options.clients);
  const token = form.get("token");
  if (token === null) throw new OAuthError("invalid_request", "Send the token to revoke in the form, as token.");
  const { realm } = view;
  const permit = realm.refreshTokens.get(token);
  if (permit) {
    if (permit.clientId === client.id) await realm.revoked.add([permit.family]);
    return privateReply({});
  }
  const found = await tokens.verify(token, view).catch((thrown: unknown) => {
    if (!isRefusal(thrown)) throw thrown;
    return undefined;
  });
  if (found && found.payload.client_id === client.id) await realm.revoked.add([String(found.payload.jti)]);
  return privateReply({});
}
