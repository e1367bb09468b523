import { StartError } from "../../base/errors.ts";
import type { OpenFeature, Service } from "../../http/contract.ts";
import type { LayerStep } from "../../http/edge.ts";
import { parsePath } from "../../query/path.ts";
import type { FeatureContext } from "../feature.ts";
import type { AccessRules } from "./read-access.ts";
import type { AccessPlan } from "./user-permit.ts";
import { UserViews, userValuesIn } from "./user-views.ts";

const LAYER = "sign-in";

export function openAccess({
  service,
  checked: rules,
  place,
  note,
}: FeatureContext<unknown, AccessRules>): OpenFeature {
  const step = service.steps.find((one): one is LayerStep => one.kind === "layer" && one.name === LAYER);
  if (!step) {
    throw new StartError(
      `${place}: access needs to know who asks. Add "${LAYER}" to middlewares, or remove access to show everything to everyone.`,
    );
  }
  const { users = "users", claims } = step.layer.signIn?.options ?? {};
  const { text, segments } = parsePath(claims?.roles ?? "roles");
  // Filters prefer a field with the name of the whole path.
  const plan: AccessPlan = { rules, users, roleFields: [...segments.slice(0, 1), text] };
  tellUnlisted(service, plan, note);
  if (!rules.has(users)) tellTrusted(plan, claims ?? {}, note);
  const views = new UserViews(plan);
  return { name: "access", viewFor: (call, whole) => views.viewFor(call, whole) };
}

/** Users may write their own record: a rule that trusts a field of it trusts them. */
function tellTrusted(plan: AccessPlan, claims: Readonly<Record<string, string>>, note: (text: string) => void): void {
  const names = userValuesIn(plan.rules).map((name) => name.replace(/^user\.(claims\.)?/, ""));
  const fields = names.flatMap((name) => claims[name] ?? []).filter((field) => !plan.roleFields.includes(field));
  if (fields.length > 0) {
    note(
      `access: rules trust ${fields.join(", ")} of ${plan.users}, which users may change; list ${plan.users} to forbid it.`,
    );
  }
}

function tellUnlisted({ store }: Service, { rules, users }: AccessPlan, note: (text: string) => void): void {
  const unlisted = store.members().filter(({ name }) => !rules.has(name) && name !== users);
  if (unlisted.length > 0) {
    const names = unlisted.map(({ name }) => name).join(", ");
    note(`access: only admins may read and write ${names}, which it does not list.`);
  }
  const absent = [...rules.keys()].filter((name) => store.kindOf(name) === undefined);
  if (absent.length > 0) note(`access: ${absent.join(", ")} is listed, but not in the data.`);
}
