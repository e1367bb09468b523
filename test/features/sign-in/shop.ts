import type { JsonObject } from "../../../src/base/json/json.ts";
import { createStandin, type StandinOptions } from "../../../src/index.ts";

export const CALLBACK = "http://localhost:5173/callback";

/** Two users without passwords, and one with. */
export function shopUsers(): JsonObject {
  return {
    users: [
      { id: 1, email: "ann@shop.test", roles: ["admin"], address: { city: "Rome" } },
      { id: 2, email: "bob@shop.test", roles: "editor" },
      { id: 3, email: "cid@shop.test", password: "open sesame" },
    ],
    products: [{ id: 1, name: "Hat" }],
    orders: [{ id: 1, user_id: 1 }],
  };
}

export const SIGN_IN = {
  users: "users",
  name: "email",
  password: "password",
  claims: { email: "email", roles: "roles", city: "address.city" },
  audience: "shop-api",
  clients: [
    { id: "shop-web", redirectUris: ["http://localhost:5173/*"] },
    { id: "worker", secret: "a secret of the worker", redirectUris: [CALLBACK], roles: ["admin"] },
  ],
  public: ["GET /products*"],
} as const;

/** A shop whose users can sign in. Its keys are of the kind that is made in no time, unless the settings say otherwise. */
export function openShop(settings: JsonObject = {}, options: Partial<StandinOptions> = {}) {
  const layers = { "sign-in": { ...SIGN_IN, algorithm: "ES256", ...settings } as unknown as JsonObject };
  return createStandin({ data: shopUsers(), middlewares: ["sign-in"], layers, ...(options as object) });
}
