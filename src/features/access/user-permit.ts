import { createHash } from "../../base/platform/crypto.ts";
import type { SignedInUser } from "../../http/signed-in-user.ts";
import { equality } from "../../query/operators/eq.ts";
import type { Filter } from "../../query/query.ts";
import type { Allowed, MemberPermit, StorePermit } from "../../store/guarded/permit.ts";
import type { Reads } from "../../store/store.ts";
import type { AccessRule } from "./access-rule.ts";
import { bindFilter, NOTHING } from "./bound-values.ts";
import type { AccessRules } from "./read-access.ts";

export const ADMIN = "admin";
const NONE: readonly Filter[] = [NOTHING];
const EVERYTHING_ALLOWED: MemberPermit = {
  read: undefined,
  write: undefined,
  owner: undefined,
  mayNameOwner: true,
  fixed: [],
};
const NOTHING_ALLOWED: MemberPermit = { read: NONE, write: NONE, owner: undefined, mayNameOwner: false, fixed: [] };

/** The rules of a server, and what they need to know of its users. */
export interface AccessPlan {
  readonly rules: AccessRules;
  /** The collection of the users' records. */
  readonly users: string;
  /** The fields of those that decide what a user may do. */
  readonly roleFields: readonly string[];
}

/** What a user may do, by the rules of the server. */
export class UserPermit implements StorePermit {
  readonly user: string | undefined;
  readonly users: string;
  readonly isAdmin: boolean;
  readonly mark: string;
  readonly #plan: AccessPlan;
  readonly #user: SignedInUser | undefined;
  readonly #names: Pick<Reads, "idKeyOf">;
  readonly #members = new Map<string, MemberPermit>();

  constructor(plan: AccessPlan, user: SignedInUser | undefined, given: PermitFacts) {
    this.#plan = plan;
    this.#user = user;
    this.#names = given.names;
    this.user = user?.id;
    this.users = plan.users;
    this.isAdmin = user?.roles.includes(ADMIN) ?? false;
    this.mark = createHash("sha256").update(given.key).digest("base64url").slice(0, 8);
  }

  of(member: string): MemberPermit {
    const known = this.#members.get(member);
    if (known) return known;
    const made = this.#permitFor(member);
    this.#members.set(member, made);
    return made;
  }

  #permitFor(name: string): MemberPermit {
    const isUsers = name === this.#plan.users;
    const rules = this.#plan.rules.get(name);
    const fixed = isUsers && !this.isAdmin ? this.#plan.roleFields : [];
    if (!rules) {
      if (this.isAdmin) return EVERYTHING_ALLOWED;
      if (!isUsers) return NOTHING_ALLOWED;
      const own = this.#own(this.#names.idKeyOf(name));
      return { read: own, write: own, owner: undefined, mayNameOwner: false, fixed };
    }
    const { owner, read, write } = rules;
    if (this.isAdmin && rules.isOpenToAdmins) return { ...EVERYTHING_ALLOWED, owner };
    return {
      read: this.#allowed(read, owner),
      write: this.#allowed(write, owner),
      owner,
      mayNameOwner: false,
      fixed,
    };
  }

  #allowed(rule: AccessRule, owner = ""): Allowed {
    switch (rule.kind) {
      case "anyone":
        return undefined;
      case "nobody":
        return this.isAdmin ? undefined : NONE;
      case "role":
        return this.#user?.roles.includes(rule.role) ? undefined : NONE;
      case "owner":
        return this.#own(owner);
      case "filters":
        return rule.where.map((filter) => bindFilter(filter, this.#user));
    }
  }

  #own(field: string): readonly Filter[] {
    const { user } = this;
    if (user === undefined || user === "") return NONE;
    return [{ ...equality({ text: field, segments: [field] }, [user]), isFromPath: true }];
  }
}

interface PermitFacts {
  /** Equal for users who may do the same. */
  readonly key: string;
  readonly names: Pick<Reads, "idKeyOf">;
}
