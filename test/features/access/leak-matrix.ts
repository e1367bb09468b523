import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Answer } from "../../support/api.ts";
import { limit } from "../../support/limits.ts";
import { IS_SOAK } from "../../support/soak.ts";
import { type GuardedServer, NAMES, serveGuarded, storeOf, type UserName } from "./guarded-server.ts";
import { ACCESS, CURSORS, hiddenFrom, READS, TELLING, visibleTo } from "./matrix-data.ts";

export interface MatrixOptions {
  /** Opens a store with the data of the matrix. */
  readonly open: () => Promise<{ readonly store: Store; close(): Promise<void> }>;
  /** The users that `npm test` compares; the soak compares all of them. */
  readonly users?: readonly UserName[];
}

/** Every fourth request in `npm test`, others for each collection and user; all of them in the soak. */
function sampled<T>(requests: readonly T[], offset: number): readonly T[] {
  return IS_SOAK ? requests : requests.filter((_, position) => (position + offset) % 4 === 0);
}

/**
 * Every request, as every user, under every rule: compared with a server that has no rules, but only the records that the
 * user may read.
 */
export function describeMatrix(title: string, { open, users = NAMES }: MatrixOptions): void {
  describe(title, () => {
    let opened: Awaited<ReturnType<MatrixOptions["open"]>>;
    let guarded: GuardedServer;
    const oracles = new Map<UserName, GuardedServer>();
    beforeAll(async () => {
      opened = await open();
      guarded = await serveGuarded(opened.store, { access: ACCESS });
      for (const name of NAMES) oracles.set(name, await serveGuarded(storeOf(visibleTo(name)), {}));
    }, limit(60_000));
    afterAll(async () => {
      for (const server of [guarded, ...oracles.values()]) await server.close();
      await opened.close();
    });

    for (const name of IS_SOAK ? NAMES : users) {
      test(`${name} gets what a server with the visible records alone would send`, {
        timeout: limit(120_000),
      }, async () => {
        const oracle = oracles.get(name);
        const compare = async (path: string): Promise<void> => {
          const [answer, expected] = [await guarded.as(name, `GET ${path}`), await oracle?.as(name, `GET ${path}`)];
          expect(outcome(answer, guarded), `${name}: GET ${path}`).toEqual(expected && outcome(expected, oracle));
        };
        await Promise.all(sampled(READS, NAMES.indexOf(name)).map(compare));
      });

      test(`${name} gets the same by QUERY, and by cursors page after page`, { timeout: limit(120_000) }, async () => {
        const oracle = oracles.get(name) ?? guarded;
        const byQuery = async (server: GuardedServer, path: string) => {
          const [address, body = ""] = path.split("?");
          const headers = { "content-type": "application/x-www-form-urlencoded" };
          const answer = await server.as(name, `QUERY ${address}`, { headers, body });
          return { status: answer.status, total: answer.headers.get("x-total-count"), body: answer.body };
        };
        const queries = READS.filter((path) => path.includes("?") && !path.includes("_page"));
        for (const path of sampled(queries, NAMES.indexOf(name) + 1)) {
          const [answer, expected] = [await byQuery(guarded, path), await byQuery(oracle, path)];
          if (expected.status < 400) expect(answer, `${name}: QUERY ${path}`).toEqual(expected);
          else expect(answer.status, `${name}: QUERY ${path}`).toBe(expected.status);
        }
        for (const path of sampled(CURSORS, NAMES.indexOf(name))) {
          expect(await pages(guarded, name, path), `${name}: ${path}`).toEqual(await pages(oracle, name, path));
        }
      });

      test(`${name} finds nothing of hidden records in any other response`, { timeout: limit(120_000) }, async () => {
        const hidden = hiddenFrom(name);
        for (const line of TELLING) {
          // Admins see the traffic of everyone, with the texts that they have searched for.
          if (name === "admin" && line === "GET /__requests") continue;
          const { text } = await guarded.as(name, line);
          expect(
            hidden.filter((canary) => text.includes(canary)),
            `${name}: ${line}`,
          ).toEqual([]);
        }
      });
    }

    test("the cursor of one user is of no use to another", async () => {
      const link = (await guarded.as("ann", "GET /orders?_after=&_limit=1")).headers.get("link") ?? "";
      const next = /<([^>]+)>; rel="next"/.exec(link)?.[1]?.replace(guarded.url, "") ?? "";
      expect((await guarded.as("ann", `GET ${next}`)).status).toBe(200);
      for (const name of ["bob", "admin", "nobody"] as const) {
        expect((await guarded.as(name, `GET ${next}`)).body, name).toMatchObject({ code: "CURSOR_INVALID" });
      }
    });

    test("lists that differ between users differ in their tags, and none is fresh for another", async () => {
      for (const path of ["/orders", "/db", "/stats", "/orders?_embed=lines", "/products?_embed=orders"]) {
        const tags = await Promise.all(
          NAMES.map(async (name) => (await guarded.as(name, `GET ${path}`)).headers.get("etag")),
        );
        expect(new Set(tags).size, path).toBe(NAMES.length);
        const headers = { "if-none-match": String(tags[0]) };
        expect((await guarded.as("ann", `GET ${path}`, { headers })).status, path).toBe(304);
        expect((await guarded.as("bob", `GET ${path}`, { headers })).status, path).toBe(200);
      }
    });
  });
}

/** The pages of a list that is followed by its cursors. */
async function pages(server: GuardedServer, name: UserName, path: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { body, headers, status } = await server.as(name, `GET ${next}`);
    expect(status, next).toBe(200);
    found.push(body);
    next = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]?.replace(server.url, "");
  }
  return found;
}

/** The parts of a response that depend on the records. Times and places of a server are its own. */
function outcome({ status, headers, body }: Answer, server: GuardedServer | undefined): JsonObject {
  // Whether a hidden singleton or a missing one: the words differ, the status does not.
  if (status >= 400) return { status };
  const own = (text: string | null): string =>
    (text ?? "").replaceAll(server?.url ?? "", "").replace(/_after=[^&>]+/g, "_after=");
  return {
    status,
    total: headers.get("x-total-count"),
    link: own(headers.get("link")),
    body: JSON.parse(own(JSON.stringify(body ?? null)), withoutSingletons),
  };
}

/** The list of members names singletons whether or not they may be read. */
function withoutSingletons(key: string, value: unknown): unknown {
  return key === "serves" ? (value as { kind: string }[]).filter(({ kind }) => kind === "collection") : value;
}
