import { parsedUrl } from "../base/addresses.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json/json.ts";
import { isSecretName } from "../base/secrets/secret-name.ts";
import type { LayerSettings } from "./settings.ts";

/** A program that may sign users in, or itself. */
export interface SignInClient {
  readonly id: string;
  readonly secret: string | undefined;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  /** The roles of its own tokens. */
  readonly roles: readonly string[];
}

const GRANTS = ["authorization_code", "refresh_token", "client_credentials", "password"] as const;
export type Grant = (typeof GRANTS)[number];

/** The settings of the layer `sign-in`. */
export interface SignInOptions {
  /** The collection of the users. */
  readonly users: string;
  /** The field by which users are known, such as their email. */
  readonly name: string;
  /** The field of their passwords, which no response shows; undefined if they have none. */
  readonly password: string | undefined;
  /** The path of each claim in the user's record. */
  readonly claims: Readonly<Record<string, string>>;
  readonly audience: string;
  readonly clients: readonly SignInClient[];
  readonly accessSeconds: number;
  readonly refreshSeconds: number;
  readonly grants: readonly Grant[];
  readonly algorithm: "RS256" | "ES256";
  /** The text that tokens carry as `iss`; undefined for the first address of the server. */
  readonly issuer: string | undefined;
  /** Whether `login_hint` signs users in who have a password, too. */
  readonly trustHints: boolean;
}

const ISSUER_END = "/__oidc";
const MAX_SECONDS = 10 * 365 * 86_400;
/** Names that the protocol gives a meaning of its own. */
const OWN_CLAIMS = ["iss", "sub", "aud", "exp", "iat", "nbf", "jti", "nonce", "auth_time", "client_id", "scope", "sid"];

export function readSignInOptions(settings: LayerSettings): SignInOptions {
  return {
    users: text(settings, "users"),
    name: readNameField(settings),
    password: readPasswordField(settings),
    claims: readClaims(settings),
    audience: text(settings, "audience", "standin"),
    clients: readClients(settings),
    accessSeconds: settings.integer("accessSeconds", { min: 1, max: MAX_SECONDS, fallback: 300 }),
    refreshSeconds: settings.integer("refreshSeconds", { min: 1, max: MAX_SECONDS, fallback: 86_400 }),
    grants: readGrants(settings),
    algorithm: settings.read("algorithm", { allowed: "RS256 or ES256", isAllowed: isAlgorithm, fallback: "RS256" }),
    issuer: readIssuer(settings),
    trustHints: settings.read("trustHints", { allowed: "true or false", isAllowed: isBoolean, fallback: false }),
  };
}

const isAlgorithm = (value: Json): value is "RS256" | "ES256" => value === "RS256" || value === "ES256";
const isBoolean = (value: Json): value is boolean => typeof value === "boolean";
const isText = (value: Json | undefined): value is string => typeof value === "string" && value !== "";

function text(settings: LayerSettings, name: string, fallback?: string): string {
  return settings.read(name, { allowed: "a string", isAllowed: isText, ...(fallback !== undefined && { fallback }) });
}

/** Names are unique, which stores tell of the fields of records. */
function readNameField(settings: LayerSettings): string {
  const field = text(settings, "name");
  if (!/[.[\]]/.test(field)) return field;
  throw settings.problem(
    "name",
    `is ${JSON.stringify(field)}, which is a path; name a field of the users, such as "email".`,
  );
}

/** The traffic log masks values by their names, so the name has to tell. */
function readPasswordField(settings: LayerSettings): string | undefined {
  const field = text(settings, "password", "-");
  if (!settings.has("password")) return undefined;
  if (isSecretName(field)) return field;
  throw settings.problem(
    "password",
    `is ${JSON.stringify(field)}, which does not look like a secret, so logs would show it. Name the field "password".`,
  );
}

function readClaims(settings: LayerSettings): Record<string, string> {
  const isClaims = (value: Json): value is Record<string, string> =>
    isJsonObject(value) && Object.values(value).every(isText);
  const allowed = 'an object of claims and the paths of their fields, such as { "email": "email" }';
  const claims = settings.read("claims", { allowed, isAllowed: isClaims, fallback: {} });
  const taken = Object.keys(claims).find((claim) => OWN_CLAIMS.includes(claim));
  if (taken !== undefined) throw settings.problem(`claims.${taken}`, "is a claim that the issuer sets itself.");
  const password = settings.has("password") ? text(settings, "password") : undefined;
  const shown = Object.entries(claims).find(([, path]) => {
    const [field] = /[^.[\]"']+/.exec(path) ?? [];
    return field === undefined || field === password;
  });
  if (shown) throw settings.problem(`claims.${shown[0]}`, "would show the password.");
  return claims;
}

function readGrants(settings: LayerSettings): Grant[] {
  const isGrant = (value: Json): value is Grant => GRANTS.some((grant) => grant === value);
  const isAllowed = (value: Json): value is Grant[] => Array.isArray(value) && value.every(isGrant);
  const fallback = GRANTS.filter((grant) => grant !== "password");
  return settings.read("grants", { allowed: `a list of ${GRANTS.join(", ")}`, isAllowed, fallback });
}

function readIssuer(settings: LayerSettings): string | undefined {
  if (!settings.has("issuer")) return undefined;
  const issuer = text(settings, "issuer", "-");
  const url = parsedUrl(issuer);
  const isAddress =
    url && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "" && url.username === "";
  if (isAddress && issuer.endsWith(ISSUER_END)) return issuer;
  throw settings.problem("issuer", 'must be an address that ends in /__oidc, such as "http://localhost:3000/__oidc".');
}

function readClients(settings: LayerSettings): SignInClient[] {
  const isList = (value: Json): value is Json[] => Array.isArray(value);
  const list = settings.read("clients", { allowed: "a list of { id, secret, redirectUris }", isAllowed: isList });
  const clients = list.map((entry, position) => readClient(entry, settings, `clients[${position}]`));
  if (new Set(clients.map(({ id }) => id)).size < clients.length)
    throw settings.problem("clients", "names an id twice.");
  return clients;
}

function readClient(entry: Json, settings: LayerSettings, place: string): SignInClient {
  const { id, secret, redirectUris, postLogoutRedirectUris, roles, ...others }: JsonObject = isJsonObject(entry)
    ? entry
    : {};
  if (!isText(id)) throw settings.problem(place, "must have an id, a string.");
  settings.refuseOthers(others, place, ["id", "secret", "redirectUris", "postLogoutRedirectUris", "roles"]);
  if (secret !== undefined && !isText(secret)) throw settings.problem(`${place}.secret`, "must be a string.");
  const texts = (name: string, value: Json | undefined): string[] => {
    if (value === undefined) return [];
    if (Array.isArray(value) && value.every(isText)) return value;
    throw settings.problem(`${place}.${name}`, "must be a list of strings.");
  };
  const addresses = (name: string, value: Json | undefined): string[] => {
    const wrong = texts(name, value).find((uri) => !isRedirectPattern(uri));
    if (wrong === undefined) return texts(name, value);
    throw settings.problem(
      `${place}.${name}`,
      `holds ${JSON.stringify(wrong)}; write an address without user info and fragment, "*" only as its last segment.`,
    );
  };
  return {
    id,
    secret,
    redirectUris: addresses("redirectUris", redirectUris),
    postLogoutRedirectUris: addresses("postLogoutRedirectUris", postLogoutRedirectUris ?? redirectUris),
    roles: texts("roles", roles),
  };
}

function isRedirectPattern(uri: string): boolean {
  const url = parsedUrl(uri);
  if (!url || /^(?:javascript|data|vbscript|file|blob):$/.test(url.protocol)) return false;
  if (url.username !== "" || url.password !== "" || uri.includes("#")) return false;
  return !uri.replace(/\/\*$/, "/").includes("*");
}
