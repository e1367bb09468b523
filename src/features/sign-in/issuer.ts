import type { Call } from "../../http/call.ts";
import { createStoreChooser, type Service } from "../../http/contract.ts";
import type { SignInClient, SignInOptions } from "../../layers/sign-in-options.ts";
import type { Store } from "../../store/store.ts";
import { SANDBOX_PREFIX } from "../sandboxes/feature.ts";
import { OAuthError } from "./oauth-error.ts";
import { Realm } from "./realm.ts";
import type { SigningKeys } from "./signing-keys.ts";

const ISSUER_PATH = "/__oidc";

/** The issuer as one request meets it: that of the shared data, or of a sandbox. */
export interface IssuerView {
  /** The text that its tokens carry as `iss`. */
  readonly issuer: string;
  readonly realm: Realm;
  readonly options: SignInOptions;
  readonly keys: SigningKeys;
  /** In seconds, as tokens have it. */
  readonly now: number;
}

/** The OpenID Connect issuer of a service and its sandboxes. */
export class Issuer {
  readonly options: SignInOptions;
  readonly keys: SigningKeys;
  readonly now: () => number;
  readonly #store: Store;
  readonly #chooseStore: (call: Call) => Store | undefined;
  readonly #realms = new WeakMap<Store, Realm>();
  #address: string | undefined;

  constructor(service: Service, options: SignInOptions, keys: SigningKeys) {
    this.options = options;
    this.keys = keys;
    this.now = service.now;
    this.#store = service.store;
    // Features are still being opened; the first request comes later.
    let chooser: ((call: Call) => Store | undefined) | undefined;
    this.#chooseStore = (call) => {
      chooser ??= createStoreChooser(service);
      return chooser(call);
    };
    this.#address = options.issuer?.slice(0, -ISSUER_PATH.length);
    this.realmOf(service.store);
  }

  /** The first address wins, unless one is configured: a text that changed would end every token. */
  announce(address: string): void {
    this.#address ??= address;
  }

  viewFor(call: Call): IssuerView {
    this.announce(`${call.origin}${call.base}`);
    const store = call.sandbox === undefined ? undefined : this.#chooseStore(call);
    return this.viewOf(store ?? this.#store, store && call.sandbox);
  }

  viewOf(store: Store, sandbox: string | undefined): IssuerView {
    const { options, keys } = this;
    const issuer = `${this.#address ?? ""}${sandbox === undefined ? "" : SANDBOX_PREFIX + sandbox}${ISSUER_PATH}`;
    return { issuer, realm: this.realmOf(store), options, keys, now: Math.floor(this.now() / 1000) };
  }

  realmOf(store: Store): Realm {
    const realm = this.#realms.get(store) ?? new Realm(store, this.options);
    this.#realms.set(store, realm);
    return realm;
  }
}

/** The addresses of the issuer's routes where this request came in. */
export function askedAddress(call: Call): string {
  return `${call.baseUrl}${ISSUER_PATH}`;
}

export function findClient({ clients }: SignInOptions, id: string | null | undefined): SignInClient {
  const client = clients.find((one) => one.id === id);
  if (client) return client;
  throw new OAuthError("invalid_client", `There is no client ${JSON.stringify(id ?? "")}; "clients" does not list it.`);
}
