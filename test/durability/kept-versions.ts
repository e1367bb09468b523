import { expect } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { databaseAt } from "./place.ts";

interface Version {
  readonly version: number;
  readonly time: string;
  readonly by: string;
}

interface Page {
  readonly versions: readonly Version[];
  readonly oldest: number;
  readonly latest: number;
  readonly next?: number;
}

/** Sees to it that crashes cost no version, and that none is used twice. */
export class KeptVersions {
  readonly #known = new Map<number, string>();
  /** The data of a version that an earlier server had. */
  #moment: { readonly version: number; readonly database: JsonObject } | undefined;

  /** Compares with what earlier servers had; `least` versions must be new. */
  async check(url: string, name: string, least: number): Promise<void> {
    const { versions, oldest, latest } = await allVersions(url);
    const numbers = versions.map(({ version }) => version);
    expect(
      numbers.every((version, at) => at === 0 || version < (numbers[at - 1] ?? 0)),
      `${name}: versions in order, each once`,
    ).toBe(true);
    const texts = new Map(versions.map(({ version, time, by }) => [version, `${time} ${by}`]));
    for (const [version, text] of this.#known) expect(texts.get(version), `${name}: version ${version}`).toBe(text);
    expect(texts.size - this.#known.size, `${name}: new versions`).toBeGreaterThanOrEqual(least);
    for (const [version, text] of texts) this.#known.set(version, text);
    if (this.#moment && this.#moment.version >= oldest) {
      expect(await databaseAt(`${url}/__at/${this.#moment.version}`), `${name}: the past`).toEqual(
        this.#moment.database,
      );
    }
    this.#moment = { version: latest, database: await databaseAt(url) };
  }
}

async function allVersions(url: string): Promise<Page> {
  const versions: Version[] = [];
  for (let before = ""; ; ) {
    const response = await fetch(`${url}/__history?limit=1000${before}`);
    expect(response.status).toBe(200);
    const page = (await response.json()) as Page;
    versions.push(...page.versions);
    if (page.next === undefined) return { ...page, versions };
    before = `&before=${page.next}`;
  }
}
