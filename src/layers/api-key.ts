import { StandinError } from "../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json/json.ts";
import { checkCredential } from "./check-credential.ts";
import type { Layer, LayerDefinition, LayerRequest, LayerResponse, LayerTools } from "./layer.ts";
import { createPublicRoutes, readPublicRoutes } from "./public-routes.ts";
import { type Digest, digest, isSameSecret } from "./same-secret.ts";
import type { LayerSettings } from "./settings.ts";

const FORMAT = /^[a-zA-Z0-9-]{10,50}$/;
const PERMISSIONS = ["read", "write"] as const;
type Permission = (typeof PERMISSIONS)[number];
const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "QUERY"]);
const PUBLIC_ROUTES = ["/health", "/auth/login", "/public/products"];
/** The limits shown on success: placeholders, unless the rate-limit layer sets its own. */
const PLACEHOLDER = { limit: "1000", remaining: "999" };

export interface ApiKeyOptions {
  readonly keys: readonly { key: string; permissions: readonly Permission[]; name?: string | undefined }[];
  readonly publicRoutes: readonly string[];
}

/** Rejects requests without a known key in `X-API-KEY`. Reading and writing are separate permissions. */
export function apiKey({ keys, publicRoutes }: ApiKeyOptions, { warn, now }: LayerTools): Layer {
  const isPublic = createPublicRoutes(publicRoutes);
  const known = keys.map(({ key, permissions, name }) => ({
    digest: digest(key),
    permissions: new Set(permissions),
    name,
  }));

  return function apiKey(req, res, next) {
    if (!isPublic(req, () => authenticate(req, res))) authenticate(req, res);
    next();
  };

  function authenticate(req: LayerRequest, res: LayerResponse): void {
    const key = req.headers["x-api-key"];
    if (key === undefined) {
      const message = "Send an API key in the header X-API-KEY.";
      throw new StandinError("API_KEY_MISSING", message, {}, { timestamp: new Date(now()).toISOString() });
    }
    const { text, permissions, name } = checkCredential(req, res, () => expectKnown(key));
    const needed: Permission = READS.has(req.method) ? "read" : "write";
    if (!permissions.has(needed)) {
      const code = needed === "write" ? "FORBIDDEN_WRITE" : "FORBIDDEN_READ";
      throw new StandinError(code, `This API key does not have the permission "${needed}".`);
    }
    if (!permissions.has("read")) req.isWriteOnly = true;
    req.credentialName = name;
    if (!res.hasHeader("X-RateLimit-Limit")) {
      res.setHeader("X-RateLimit-Limit", PLACEHOLDER.limit);
      res.setHeader("X-RateLimit-Remaining", PLACEHOLDER.remaining);
    }
    res.setHeader("X-Authenticated-Client", text.startsWith("csharp") ? "dotnet-client" : "generic");
  }

  function expectKnown(key: string | string[]): Admitted {
    if (typeof key !== "string" || !FORMAT.test(key)) {
      throw new StandinError(
        "API_KEY_MALFORMED",
        "An API key has 10 to 50 letters, digits and dashes, and is sent once.",
      );
    }
    const found = findKey(known, digest(key));
    if (found) return { text: key, permissions: found.permissions, name: found.name };
    warn(`api-key: an unknown key was refused; it begins with ${key.slice(0, 5)}`);
    throw new StandinError("API_KEY_INVALID", "This API key is unknown.");
  }
}

interface Admitted {
  readonly text: string;
  readonly permissions: ReadonlySet<Permission>;
  readonly name: string | undefined;
}

/** Looks at every key, found or not, so that the time tells nothing. */
function findKey<T extends { digest: Digest }>(known: readonly T[], wanted: Digest): T | undefined {
  let found: T | undefined;
  for (const candidate of known) if (isSameSecret(wanted, candidate.digest)) found = candidate;
  return found;
}

export function readApiKeyOptions(settings: LayerSettings): ApiKeyOptions {
  const isList = (value: Json): value is Json[] => Array.isArray(value) && value.length > 0;
  const list = settings.read("keys", {
    allowed: "a list of keys, each a string or { key, permissions, name }",
    isAllowed: isList,
  });
  const keys = list.map((entry, position) => readKey(entry, settings, `keys[${position}]`));
  if (new Set(keys.map(({ key }) => key)).size < keys.length) throw settings.problem("keys", "names a key twice.");
  return { keys, publicRoutes: readPublicRoutes(settings, PUBLIC_ROUTES) };
}

function readKey(entry: Json, settings: LayerSettings, place: string): ApiKeyOptions["keys"][number] {
  if (isJsonObject(entry)) settings.refuseOthers(entry, place, ["key", "permissions", "name"]);
  const { key, permissions = [...PERMISSIONS], name }: JsonObject = isJsonObject(entry) ? entry : { key: entry };
  if (typeof key !== "string" || !FORMAT.test(key)) {
    throw settings.problem(place, "is no API key: it must have 10 to 50 letters, digits and dashes.");
  }
  const isPermission = (value: Json): value is Permission => PERMISSIONS.some((permission) => permission === value);
  if (!Array.isArray(permissions) || !permissions.every(isPermission)) {
    throw settings.problem(`${place}.permissions`, `must be a list of ${PERMISSIONS.join(", ")}.`);
  }
  if (name !== undefined && (typeof name !== "string" || name === "" || name === key)) {
    throw settings.problem(`${place}.name`, "must be a string other than the key: it is shown in the history.");
  }
  return { key, permissions, name };
}

export const apiKeyLayer: LayerDefinition = {
  name: "api-key",
  guards: "requests",
  scheme: { type: "apiKey", in: "header", name: "X-API-KEY" },
  codes: ["API_KEY_MISSING", "API_KEY_MALFORMED", "API_KEY_INVALID", "FORBIDDEN_READ", "FORBIDDEN_WRITE"],
  headers: ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-Authenticated-Client"],
  create: (settings, tools) => apiKey(readApiKeyOptions(settings), tools),
};
