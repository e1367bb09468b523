import { StandinError } from "../base/errors.ts";
import type { Json } from "../base/json/json.ts";
import { checkCredential } from "./check-credential.ts";
import type { Layer, LayerDefinition, LayerRequest, LayerResponse } from "./layer.ts";
import { createPublicRoutes, readPublicRoutes } from "./public-routes.ts";
import { digest, isSameSecret } from "./same-secret.ts";
import type { LayerSettings } from "./settings.ts";

const SCHEME = "Bearer ";
const PUBLIC_ROUTES = ["/auth/login", "/health"];

export interface BearerOptions {
  readonly token: string;
  readonly publicRoutes: readonly string[];
}

/** Rejects requests without the configured token. Others pass as user 1 with the role `admin`. */
export function bearer({ token, publicRoutes }: BearerOptions): Layer {
  const isPublic = createPublicRoutes(publicRoutes);
  const expected = digest(token);

  return function bearer(req, res, next) {
    if (!isPublic(req, () => expectToken(req, res))) {
      expectToken(req, res);
      req.user = { id: 1, role: "admin" };
    }
    next();
  };

  function expectToken(req: LayerRequest, res: LayerResponse): void {
    const header = req.headers.authorization;
    if (!header?.startsWith(SCHEME)) {
      throw new StandinError("AUTH_REQUIRED", "Send a token in the header Authorization: Bearer <token>.", {
        "WWW-Authenticate": "Bearer",
      });
    }
    checkCredential(req, res, () => {
      if (isSameSecret(digest(header.slice(SCHEME.length)), expected)) return;
      throw new StandinError("AUTH_FORBIDDEN", "This token is not accepted.");
    });
  }
}

export function readBearerOptions(settings: LayerSettings): BearerOptions {
  const isToken = (value: Json): value is string => typeof value === "string" && /^[\x21-\x7e]+$/.test(value);
  return {
    token: settings.read("token", { allowed: "a string of visible ASCII characters", isAllowed: isToken }),
    publicRoutes: readPublicRoutes(settings, PUBLIC_ROUTES),
  };
}

export const bearerLayer: LayerDefinition = {
  name: "bearer",
  guards: "requests",
  scheme: { type: "http", scheme: "bearer" },
  codes: ["AUTH_REQUIRED", "AUTH_FORBIDDEN"],
  create: (settings) => bearer(readBearerOptions(settings)),
};
