import { isJsonObject } from "../../base/json/json.ts";
import type { SharedSecrets } from "../../store/store.ts";

const NAME = "sign-in-revoked";
const MAX_NAMES = 10_000;
/** Of those that processes share, the latest are kept: all of them are written each time. */
const MAX_SHARED = 1000;

/** Families and single tokens that were revoked; those of a database in all processes that serve it. */
export class RevokedNames {
  readonly #names = new Set<string>();
  readonly #secrets: SharedSecrets | undefined;

  constructor(secrets: SharedSecrets | undefined) {
    this.#secrets = secrets;
    secrets?.watch(() => void this.load().catch(() => undefined));
  }

  /** Reads what other processes have revoked, and earlier starts. */
  async load(): Promise<void> {
    for (const name of namesIn(await this.#secrets?.read(NAME))) this.#keep(name);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Holds here at once; settles when it does in a restarted process, too. */
  async add(names: readonly string[]): Promise<void> {
    const added = names.filter((name) => !this.#names.has(name));
    for (const name of added) this.#keep(name);
    if (added.length === 0) return;
    await this.#secrets?.change(NAME, (text) =>
      JSON.stringify({ names: [...namesIn(text), ...added].slice(-MAX_SHARED) }),
    );
  }

  #keep(name: string): void {
    const [oldest] = this.#names;
    if (this.#names.size >= MAX_NAMES && oldest !== undefined) this.#names.delete(oldest);
    this.#names.add(name);
  }
}

/** None if the text was damaged by hand. */
function namesIn(text = "{}"): readonly string[] {
  try {
    const read: unknown = JSON.parse(text);
    const names: unknown = isJsonObject(read) ? read.names : [];
    return Array.isArray(names) ? names.map(String) : [];
  } catch {
    return [];
  }
}
