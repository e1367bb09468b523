import type { MiddlewareStep } from "../../http/edge.ts";
import type { SignInGate } from "../../layers/layer.ts";
import type { Completion } from "../../store/completion.ts";
import { defineFeature } from "../feature.ts";
import type { SignInOffer } from "./types.ts";

/** The OpenID Connect issuer behind the layer `sign-in`; without the layer, it is not even loaded. */
export const signInFeature = defineFeature({
  name: "sign-in",
  options: {},
  needsData: true,
  reserves: ["__oidc"],
  prepare(data, _checked, steps) {
    const gate = gateIn(steps);
    if (!gate) return data;
    const completions = new Map(data.options.completions);
    completions.set(gate.options.users, withPasswords(gate, completions.get(gate.options.users)));
    return { ...data, options: { ...data.options, completions } };
  },
  async open(context): Promise<{ readonly name: string; readonly offer?: SignInOffer }> {
    const gate = gateIn(context.service.steps);
    return gate ? (await loadIssuer()).openSignIn(context, gate) : { name: "sign-in" };
  },
});

function gateIn(steps: readonly MiddlewareStep[]): SignInGate | undefined {
  return steps.flatMap((step) => (step.kind === "layer" ? (step.layer.signIn ?? []) : []))[0];
}

/** Hashes passwords last, whatever else completes a record. */
function withPasswords(gate: SignInGate, completion: Completion | undefined): Completion {
  return {
    ids: completion?.ids,
    created: (body) => gate.stored(completion?.created(body) ?? body),
    changed: (before, value) => gate.stored(completion?.changed(before, value) ?? value, before),
  };
}

/** Apart from what every start loads. */
const loadIssuer = () => import("./open-sign-in.ts");
