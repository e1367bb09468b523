import { hashSync } from "bcryptjs";
import { describe, expect, test } from "vitest";
import { hashPassword } from "../../src/layers/password.ts";
import { createTurns } from "../../src/layers/wrong-logins.ts";
import { startLayered } from "../support/layers.ts";

const USER = { email: "a@b.c", password: "pw-of-mine" };
const secret = "0123456789abcdef0123456789abcdef";

function start(password: string, settings: { maxWrongLogins?: number } = {}, now?: () => number) {
  const layers = { "signed-token": { secret, users: [{ email: USER.email, password }], ...settings } };
  return startLayered({ middlewares: ["signed-token"], layers, ...(now && { now }) });
}

describe("passwords are checked in turn", () => {
  test("bcrypt runs beside the other requests: a GET is answered while logins wait", async () => {
    const api = await start(hashSync(USER.password, 10));
    let pending = 6;
    const logins = Array.from({ length: pending }, (_, at) =>
      api.ask("POST /login", { body: { ...USER, password: `wrong ${at}` } }).then(({ status }) => {
        pending--;
        return status;
      }),
    );
    expect((await api.ask("GET /products")).status).toBe(200);
    expect(pending).toBeGreaterThan(0);
    expect(new Set(await Promise.all(logins))).toEqual(new Set([401]));
    expect((await api.ask("POST /login", { body: USER })).status).toBe(200);
  });

  test("no more at once than the width, in order of arrival, also where one fails", async () => {
    const inTurn = createTurns(2);
    let running = 0;
    const begun: number[] = [];
    const work = Array.from({ length: 9 }, (_, at) =>
      inTurn(async () => {
        begun.push(at);
        expect(++running).toBeLessThanOrEqual(2);
        await new Promise(setImmediate);
        running--;
        if (at % 3 === 0) throw new Error("one of them fails");
      }),
    );
    const outcomes = await Promise.allSettled(work);
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(3);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(running).toBe(0);
  });
});

describe("wrong logins are limited", () => {
  test("50 in a minute unless told otherwise, then 429 with words, for the right password, too", async () => {
    const api = await start(USER.password);
    const wrong = () => api.ask("POST /login", { body: { ...USER, password: "wrong" } });
    const statuses = (await Promise.all(Array.from({ length: 60 }, wrong))).map(({ status }) => status);
    // Two are checked at once, so one may pass while another is still being judged.
    const judged = statuses.filter((status) => status === 401).length;
    expect([50, 51]).toContain(judged);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60 - judged);
    const { status, headers, body } = await api.ask("POST /login", { body: USER });
    expect([status, body]).toMatchObject([
      429,
      { code: "RATE_LIMIT_EXCEEDED", message: expect.stringContaining("maxWrongLogins") },
    ]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await api.ask("GET /products")).status).toBe(200);
  });

  test("unknown emails count the same, and the window ends", async () => {
    let time = 1_000_000;
    const api = await start(USER.password, { maxWrongLogins: 2 }, () => time);
    const login = async (email: string, password: string) =>
      (await api.ask("POST /login", { body: { email, password } })).status;
    expect(await login("nobody@b.c", "x")).toBe(401);
    expect(await login(USER.email, "x")).toBe(401);
    expect(await login("nobody@b.c", "x")).toBe(429);
    expect(await login(USER.email, USER.password)).toBe(429);
    time += 60_000;
    expect(await login(USER.email, USER.password)).toBe(200);
  });

  test("right logins never count, however many come at once", async () => {
    const api = await start(await hashPassword(USER.password), { maxWrongLogins: 1 });
    const all = await Promise.all(Array.from({ length: 12 }, () => api.ask("POST /login", { body: USER })));
    expect(all.map(({ status }) => status)).toEqual(Array(12).fill(200));
  });

  test("maxWrongLogins 0 sets no limit", async () => {
    const api = await start(USER.password, { maxWrongLogins: 0 });
    const wrong = () => api.ask("POST /login", { body: { ...USER, password: "wrong" } });
    const all = await Promise.all(Array.from({ length: 60 }, wrong));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([401]));
  });
});
