import { Buffer } from "../../base/platform/buffer.ts";
import type { Call } from "../../http/call.ts";
import { digest, isSameSecret } from "../../layers/same-secret.ts";
import type { SignInClient } from "../../layers/sign-in-options.ts";
import { OAuthError } from "./oauth-error.ts";

/** The client that sends a request: by Basic, by `client_id` and `client_secret` in the form or, if it has no secret, by its id. */
export function authenticateClient(call: Call, form: URLSearchParams, clients: readonly SignInClient[]): SignInClient {
  const basic = basicCredentials(call.headers.authorization);
  if (basic && form.has("client_secret")) {
    throw new OAuthError("invalid_request", "Send the secret of the client in one way: by Basic or in the form.");
  }
  const id = basic?.id ?? form.get("client_id") ?? "";
  const secret = basic?.secret ?? form.get("client_secret") ?? "";
  const client = clients.find((one) => one.id === id);
  if (!client) {
    const known = clients.map((one) => one.id).join(", ");
    throw new OAuthError("invalid_client", `There is no client ${JSON.stringify(id)}. Known are ${known || "none"}.`);
  }
  if (basic && form.has("client_id") && form.get("client_id") !== id) {
    throw new OAuthError("invalid_request", "client_id in the form is not the client of the header Authorization.");
  }
  const isRight = client.secret === undefined ? secret === "" : isSameSecret(digest(secret), digest(client.secret));
  if (isRight) return client;
  throw new OAuthError(
    "invalid_client",
    client.secret === undefined
      ? `The client ${id} has no secret; send its client_id alone.`
      : `The secret of the client ${id} is missing or wrong.`,
  );
}

/** Both parts are encoded as in a form (RFC 6749, 2.3.1). */
function basicCredentials(header: string | undefined): { readonly id: string; readonly secret: string } | undefined {
  const [, encoded] = /^Basic +([\w+/=-]+)$/i.exec(header ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const [id = "", secret = ""] = Buffer.from(encoded, "base64").toString("utf8").split(/:(.*)/s);
  return { id: decoded(id), secret: decoded(secret) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
