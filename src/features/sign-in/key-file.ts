import type { JWK } from "jose";
import { StartError } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json/json.ts";
import { existsSync, readFileSync } from "../../base/platform/files.ts";
import { ownFile, writeOwnFile } from "../../store/file/own-folder.ts";
import type { KeyPlace, MakeKeys } from "./signing-keys.ts";

const KIND = "sign-in-keys";

/** The private keys of the issuer beside the data, in `.standin/`, readable by the owner alone. */
export class KeyFile implements KeyPlace {
  readonly isShared = false;
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  /** The latest first; none before the first start. */
  read(): JWK[] {
    const file = ownFile(this.#source, KIND);
    if (!existsSync(file)) return [];
    try {
      const keys: unknown = JSON.parse(readFileSync(file, "utf8"));
      if (Array.isArray(keys) && keys.every(isJsonObject)) return keys;
    } catch {
      // The message is the same.
    }
    throw new StartError(`${file} has no keys that can be read. Remove it, and new ones are made.`);
  }

  change(make: MakeKeys): readonly JWK[] {
    const keys = make(this.read());
    writeOwnFile(this.#source, KIND, `${JSON.stringify(keys)}\n`);
    return keys;
  }
}
