import { StandinError } from "../base/errors.ts";
import { isJsonObject, type Json } from "../base/json/json.ts";
import type { Layer, LayerDefinition, LayerRequest, SignInGate } from "./layer.ts";
import { hashPasswordAtOnce, kindOfPassword } from "./password.ts";
import { createPublicRoutes } from "./public-routes.ts";
import type { LayerSettings } from "./settings.ts";
import { readSignInOptions, type SignInOptions } from "./sign-in-options.ts";

const ROUTE = /^(?:([A-Z]+) )?((?:\/[^/*\s]+)+)(\*?)$/;
/** The paths of the issuer, which authenticates requests to them itself. */
const OWN_PATH = /^\/(?:__oidc|\.well-known\/oauth-authorization-server)(?:[/?]|$)/;

/** Admits requests with a token of the issuer under `/__oidc`, and public ones without. */
export function signIn(options: SignInOptions, publicRoutes: readonly string[]): Layer {
  const gate: SignInGate = {
    options,
    ...createPasswordKeeping(options.password),
    admit() {
      throw new StandinError("TOKEN_REQUIRED", "The issuer is not ready yet; repeat the request.");
    },
  };
  const isPublic = createPublicTest(publicRoutes);
  const layer: Layer = (req, res, next) => {
    res.setHeader("Vary", "Authorization");
    if (OWN_PATH.test(req.url)) return next();
    const { authorization } = req.headers;
    if (authorization === undefined && isPublic(req)) return next();
    return gate.admit(req).then(next);
  };
  return Object.assign(layer, { signIn: gate });
}

/** A password left out of a write stays: clients cannot read it to send it back. `null` and "" remove it. */
function createPasswordKeeping(field: string | undefined): Pick<SignInGate, "stored" | "sentWith" | "isHash"> {
  const sent = new WeakMap<object, Json>();
  return {
    stored(record, before) {
      if (field === undefined) return record;
      const old = isJsonObject(before) && Object.hasOwn(before, field) ? before[field] : undefined;
      const { [field]: password = old, ...others } = record;
      const stored =
        password === undefined || password === null || password === "" ? others : { ...others, [field]: password };
      if (password === undefined || password === null || password === old) return stored;
      if (password !== "") stored[field] = hashed(password);
      sent.set(stored, password);
      return stored;
    },
    sentWith: (record) => sent.get(record),
    isHash: (value) => typeof value === "string" && kindOfPassword(value) !== "plain",
  };
}

function hashed(password: Json): string {
  const text = typeof password === "string" ? password : JSON.stringify(password);
  return kindOfPassword(text) === "plain" ? hashPasswordAtOnce(text) : text;
}

/** `GET /products*` is the collection with all below it, `GET /products` the path alone. GET stands for HEAD, too. */
function createPublicTest(routes: readonly string[]): (req: LayerRequest) => boolean {
  const parsed = routes.map((route) => {
    const [, method, path = "", star] = ROUTE.exec(route) ?? [];
    return { method, path, isWhole: star !== "*", isBelow: createPublicRoutes([path]) };
  });
  return (req) => {
    const method = req.method === "HEAD" ? "GET" : req.method;
    return parsed.some((route) => {
      if (route.method !== undefined && route.method !== method) return false;
      if (route.isWhole && req.clientPath.replace(/\/$/, "") !== route.path) return false;
      return route.isBelow(req, () => demandToken());
    });
  };
}

function demandToken(): never {
  throw tokenRequired();
}

export function tokenRequired(): StandinError {
  return new StandinError(
    "TOKEN_REQUIRED",
    "Sign in under /__oidc and send Authorization: Bearer <access token>, or let POST /__oidc/tokens make one.",
    { "WWW-Authenticate": "Bearer" },
  );
}

export function tokenRefused(message: string): StandinError {
  return new StandinError("TOKEN_INVALID", message, { "WWW-Authenticate": 'Bearer error="invalid_token"' });
}

export function tokenExpired(): StandinError {
  return new StandinError("TOKEN_EXPIRED", "The token has expired. Refresh it, or sign in again.", {
    "WWW-Authenticate": 'Bearer error="invalid_token", error_description="expired"',
  });
}

function readPublic(settings: LayerSettings): string[] {
  const routes = settings.texts("public", []);
  const wrong = routes.find((route) => !ROUTE.test(route));
  if (wrong === undefined) return routes;
  throw settings.problem("public", `holds ${JSON.stringify(wrong)}; write a public route as "GET /products*".`);
}

export const signInLayer: LayerDefinition = {
  name: "sign-in",
  guards: "requests",
  scheme: { type: "openIdConnect", openIdConnectUrl: "/__oidc/.well-known/openid-configuration" },
  codes: ["TOKEN_REQUIRED", "TOKEN_EXPIRED", "TOKEN_INVALID"],
  headers: ["Vary"],
  create: (settings) => signIn(readSignInOptions(settings), readPublic(settings)),
};
