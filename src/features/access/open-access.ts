import { StartError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json/json.ts";
import type { OpenFeature } from "../../http/contract.ts";
import type { FeatureContext } from "../feature.ts";
import type { AccessRules } from "./read-access.ts";
import type { AccessPlan } from "./user-permit.ts";
import { UserViews } from "./user-views.ts";

const LAYER = "sign-in";

export function openAccess(context: FeatureContext<unknown, AccessRules>): OpenFeature {
  const { service, checked: rules, place, note } = context;
  if (!service.steps.some((step) => step.kind === "layer" && step.name === LAYER)) {
    throw new StartError(
      `${place}: access needs to know who asks. Add "${LAYER}" to middlewares, or remove access to show everything to everyone.`,
    );
  }
  const plan = planOf(rules, context.layers?.[LAYER]);
  const unlisted = service.store.members().filter(({ name }) => !rules.has(name) && name !== plan.users);
  if (unlisted.length > 0) {
    note(
      `access: only admins may read and write ${unlisted.map(({ name }) => name).join(", ")}, which it does not list.`,
    );
  }
  const absent = [...rules.keys()].filter((name) => service.store.kindOf(name) === undefined);
  if (absent.length > 0) note(`access: ${absent.join(", ")} is listed, but not in the data.`);
  const views = new UserViews(plan);
  return { name: "access", viewFor: (call, whole) => views.viewFor(call, whole) };
}

/** The layer's settings were checked before; here only two of them matter. */
function planOf(rules: AccessRules, settings: JsonObject[string] | undefined): AccessPlan {
  const { users, claims } = isJsonObject(settings) ? settings : {};
  const roles = isJsonObject(claims) && typeof claims.roles === "string" ? claims.roles : "roles";
  const [field = roles] = roles.split(/[.[]/, 1);
  return { rules, users: typeof users === "string" ? users : "users", roleFields: [field] };
}
