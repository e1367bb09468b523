import type { JWK } from "jose";
import { StartError } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json/json.ts";
import { existsSync, readFileSync } from "../../base/platform/files.ts";
import { ownFile, writeOwnFile } from "../../store/file/own-folder.ts";
import { layoutOf } from "../../store/open-store.ts";

/** The file for data that lies in files; other data has no place for keys, which are new with each start then. */
export function keyFileFor(source: string | undefined): KeyFile | undefined {
  return source !== undefined && layoutOf(source) ? new KeyFile(source) : undefined;
}

const KIND = "sign-in-keys";

/** The private keys of the issuer beside the data, in `.standin/`, readable by the owner alone. */
export class KeyFile {
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

  write(keys: readonly JWK[]): void {
    writeOwnFile(this.#source, KIND, `${JSON.stringify(keys)}\n`);
  }
}
