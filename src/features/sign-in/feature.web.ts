/** The issuer needs a server of its own, as the layer says; others ask only what the feature offers. */
export const signInFeature = { name: "sign-in" };
