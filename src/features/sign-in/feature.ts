import { defineFeature } from "../feature.ts";
import type { SignInOffer } from "./types.ts";

/** The OpenID Connect issuer behind the layer `sign-in`; without the layer, it is not even loaded. */
export const signInFeature = defineFeature({
  name: "sign-in",
  options: {},
  needsData: true,
  reserves: ["__oidc"],
  async open(context): Promise<{ readonly name: string; readonly offer?: SignInOffer }> {
    const gate = context.service.steps.flatMap((step) => (step.kind === "layer" ? (step.layer.signIn ?? []) : []))[0];
    return gate ? (await loadIssuer()).openSignIn(context, gate) : { name: "sign-in" };
  },
});

/** Apart from what every start loads. */
const loadIssuer = () => import("./open-sign-in.ts");
