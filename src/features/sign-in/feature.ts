import type { MiddlewareStep } from "../../http/edge.ts";
import type { SignInGate } from "../../layers/layer.ts";
import type { Completion } from "../../store/completion.ts";
import type { OpenOptions } from "../../store/open-store.ts";
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
    // When the data is opened, whatever other features prepare is there.
    return { ...data, open: async (options) => data.open(await withUsers(options, gate)) };
  },
  async open(context): Promise<{ readonly name: string; readonly offer?: SignInOffer }> {
    const gate = gateIn(context.service.steps);
    return gate ? (await loadIssuer()).openSignIn(context, gate) : { name: "sign-in" };
  },
});

function gateIn(steps: readonly MiddlewareStep[]): SignInGate | undefined {
  return steps.flatMap((step) => (step.kind === "layer" ? (step.layer.signIn ?? []) : []))[0];
}

/** Lets the store keep hashes, while rules judge the passwords, and each name for one user. */
async function withUsers(options: OpenOptions, gate: SignInGate): Promise<OpenOptions> {
  const { UniqueNames } = await import("./unique-names.ts");
  const { sentWith, isHash } = gate;
  const { users, password } = gate.options;
  const rules = new UniqueNames(options.rules, gate.options);
  if (password !== undefined) rules.judgeAsSent({ collection: users, field: password, sentWith, isHash });
  const completions = new Map(options.completions);
  completions.set(users, withPasswords(gate, completions.get(users)));
  return { ...options, completions, rules };
}

/** Hashes passwords last, whatever else completes a record. */
function withPasswords(gate: SignInGate, completion: Completion | undefined): Completion {
  return {
    ids: completion?.ids,
    isNewOnReturn: true,
    created: (body) => gate.stored(completion?.created(body) ?? body),
    changed: (before, value) => gate.stored(completion?.changed(before, value) ?? value, before),
  };
}

/** Apart from what every start loads. */
const loadIssuer = () => import("./open-sign-in.ts");
