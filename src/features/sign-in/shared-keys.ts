import type { JWK } from "jose";
import { isJsonObject } from "../../base/json/json.ts";
import type { SharedSecrets } from "../../store/store.ts";
import type { KeyPlace, MakeKeys } from "./signing-keys.ts";

const NAME = "sign-in-keys";

/** The private keys of the issuer beside the data in a database, the same for all processes that serve it. */
export class SharedKeys implements KeyPlace {
  readonly isShared = true;
  readonly #secrets: SharedSecrets;

  constructor(secrets: SharedSecrets) {
    this.#secrets = secrets;
  }

  async read(): Promise<readonly JWK[]> {
    return keysIn(await this.#secrets.read(NAME));
  }

  async change(make: MakeKeys): Promise<readonly JWK[]> {
    return keysIn(await this.#secrets.change(NAME, (text) => JSON.stringify(make(keysIn(text)))));
  }
}

/** None if the text was damaged by hand: new keys take their place. */
function keysIn(text = "[]"): readonly JWK[] {
  try {
    const keys: unknown = JSON.parse(text);
    return Array.isArray(keys) && keys.every(isJsonObject) ? keys : [];
  } catch {
    return [];
  }
}
