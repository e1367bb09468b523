import type { Call } from "../../http/call.ts";
import type { Service } from "../../http/contract.ts";
import { type SignedInUser, signedInUser } from "../../http/signed-in-user.ts";
import { conditionsIn } from "../../query/filter.ts";
import { GuardedStore } from "../../store/guarded/guarded-store.ts";
import { accessDenied } from "../../store/guarded/permit.ts";
import type { Store } from "../../store/store.ts";
import { placeholdersIn, userText } from "./bound-values.ts";
import type { AccessRules } from "./read-access.ts";
import { type AccessPlan, ADMIN, UserPermit } from "./user-permit.ts";

/** Users whose views are kept at a time; those of others are made again. */
const MAX_VIEWS = 1000;

interface View {
  /** The service that it was made of. */
  readonly whole: Service;
  readonly service: Service;
}

/** The values of users that rules have places for, such as `user.team`. */
export function userValuesIn(rules: AccessRules): string[] {
  const conditions = [...rules.values()].flatMap(({ read, write }) =>
    [read, write].flatMap((rule) => (rule.kind === "filters" ? rule.where.flatMap(conditionsIn) : [])),
  );
  return [...new Set(conditions.flatMap(({ values }) => values.flatMap(placeholdersIn)))].sort();
}

/** The services as users see them, by what those may see. */
export class UserViews {
  readonly #plan: AccessPlan;
  readonly #names: readonly string[];
  readonly #views = new WeakMap<Store, Map<string, View>>();

  constructor(plan: AccessPlan) {
    this.#plan = plan;
    this.#names = userValuesIn(plan.rules);
  }

  viewFor(call: Call, whole: Service): Service {
    const user = signedInUser(call);
    const key = this.#keyOf(user);
    let views = this.#views.get(whole.store);
    if (!views) {
      views = new Map();
      this.#views.set(whole.store, views);
    }
    const known = views.get(key);
    if (known?.whole === whole) return known.service;
    if (views.size >= MAX_VIEWS) views.delete(views.keys().next().value ?? "");
    // A sandbox comes with a service of its own for every request; its store stays.
    const service = { ...whole, ...this.#partsFor(user, whole, { key, store: known?.service.store }) };
    views.set(key, { whole, service });
    return service;
  }

  #partsFor(
    user: SignedInUser | undefined,
    whole: Service,
    { key, store }: { readonly key: string; readonly store: Store | undefined },
  ): Pick<Service, "store" | "access"> {
    const permit = new UserPermit(this.#plan, user, { key, names: whole.store });
    const access = {
      whole: (what: string): Service => {
        if (permit.isAdmin) return whole;
        throw accessDenied(`${what} is for users with the role "${ADMIN}" only: it concerns the data of all users.`);
      },
    };
    return { store: store ?? new GuardedStore(whole.store, permit), access };
  }

  /** Equal for users who may do the same. */
  #keyOf(user: SignedInUser | undefined): string {
    if (!user) return "";
    const { id, roles } = user;
    if (this.#names.length === 0 && roles.length === 0) return `${id}\n`;
    return JSON.stringify([id, roles, this.#names.map((name) => userText(user, name) ?? null)]);
  }
}
