import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Reader, Signatures } from "../../../src/features/files/signatures.ts";
import { createStandin, type StandinOptions } from "../../../src/index.ts";
import { createFolder } from "../../support/cli.ts";
import { readEvents } from "../../support/event-reader.ts";

const HASH = "a".repeat(64);
const ANN: Reader = { user: { id: "1", roles: [], claims: {} }, credentialName: "ann", sandbox: undefined };
const secret = (letter: string) => () => Buffer.alloc(32, letter);
const HOUR_MS = 3_600_000;

test("an address is valid for its file and up to an hour, wherever the secret is the same", () => {
  let now = 0;
  const token = new Signatures(secret("a"), () => now).signerFor(ANN)(HASH);
  const other = new Signatures(secret("a"), () => now);
  expect(other.readerOf(token, HASH)).toEqual(ANN);
  expect(other.readerOf(token, "b".repeat(64))).toBeUndefined();
  expect(new Signatures(secret("b"), () => now).readerOf(token, HASH)).toBeUndefined();
  now = HOUR_MS - 1;
  expect(other.readerOf(token, HASH)).toEqual(ANN);
  now = HOUR_MS;
  expect(other.readerOf(token, HASH)).toBeUndefined();
});

test("no part of an address can be changed, lengthened or taken from another", () => {
  const signatures = new Signatures(secret("a"), () => 0);
  const [end = "", hidden = "", signed = ""] = signatures.signerFor(ANN)(HASH).split(".");
  const [, hiddenBob = ""] = signatures
    .signerFor({ ...ANN, credentialName: "bob" })(HASH)
    .split(".");
  const later = (10 * HOUR_MS).toString(36);
  for (const forged of [
    [later, hidden, signed],
    [end, hiddenBob, signed],
    [end, hidden.slice(0, -1), signed],
    [end, `${hidden}A`, signed],
    [end, hidden, `${signed}A`],
    [end, hidden, ""],
    ["", hidden, signed],
  ]) {
    expect(signatures.readerOf(forged.join("."), HASH)).toBeUndefined();
  }
  expect(signatures.readerOf("", HASH)).toBeUndefined();
});

test("an address shows nothing of its user, and stays the same with a new token", () => {
  const signatures = new Signatures(secret("a"), () => 0);
  const of = (user: object) => signatures.signerFor({ ...ANN, user })(HASH);
  const token = of({ sub: "ann@shop.test", iat: 1, exp: 2 });
  expect(of({ sub: "ann@shop.test", iat: 3, exp: 4 })).toBe(token);
  expect(of({ sub: "bob@shop.test", iat: 1, exp: 2 })).not.toBe(token);
  expect(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("latin1")).not.toContain("ann");
});

const USERS = ["ann", "bob"].map((name, at) => ({ id: at + 1, email: `${name}@shop.test`, roles: [] }));

async function start(source: Partial<StandinOptions>) {
  const api = await createStandin({
    ...source,
    middlewares: ["sign-in"],
    layers: {
      "sign-in": {
        users: "users",
        name: "email",
        claims: { email: "email", roles: "roles" },
        audience: "shop",
        clients: [{ id: "web", redirectUris: ["http://localhost:5173/"] }],
      },
    },
    access: { orders: { owner: "user_id", read: "owner", write: "owner" } },
  } as StandinOptions);
  onTestFinished(() => api.close());
  const credentials = async (name: string) => ({ authorization: `Bearer ${await api.tokenFor(`${name}@shop.test`)}` });
  const upload = async (): Promise<string> => {
    const form = new FormData();
    form.append("note", new File(["of Ann"], "note.txt", { type: "text/plain" }));
    const sent = await fetch(`${api.url}/orders`, { method: "POST", headers: await credentials("ann"), body: form });
    return ((await sent.json()) as { note: { url: string } }).note.url;
  };
  return { api, credentials, upload };
}

test("the response to the first upload is signed, and outlives a restart by a secret that only its owner can read", async () => {
  const folder = createFolder({ "db.json": { users: USERS, orders: [] } });
  const saved = { source: join(folder, "db.json"), persist: true } as Partial<StandinOptions>;
  const first = await start(saved);
  const url = await first.upload();
  await first.api.close();
  const second = await start(saved);
  expect(await (await fetch(second.api.url + url)).text()).toBe("of Ann");
  const own = join(folder, ".standin");
  expect(readdirSync(own)).toContain("db.json.file-signatures");
  if (process.platform !== "win32") expect(statSync(join(own, "db.json.file-signatures")).mode & 0o777).toBe(0o600);
});

test("events have addresses with a signature for their reader, and none for others", async () => {
  const { api, credentials, upload } = await start({ data: { users: USERS, orders: [] } } as Partial<StandinOptions>);
  // Open before there is any file.
  const ann = await readEvents(`${api.url}/__events`, await credentials("ann"));
  const bob = await readEvents(`${api.url}/__events?collection=orders`, await credentials("bob"));
  await upload();
  const [event] = await ann.atLeast(1);
  const [, url = ""] = /"url":"([^"]*)"/.exec(JSON.stringify(event)) ?? [];
  expect(url).toContain("note.txt?s=");
  expect(await (await fetch(api.url + url)).text()).toBe("of Ann");
  const order = {
    method: "POST",
    headers: { ...(await credentials("bob")), "Content-Type": "application/json" },
    body: "{}",
  };
  await fetch(`${api.url}/orders`, order);
  const own = await bob.atLeast(1);
  expect([own.length, JSON.stringify(own).includes("note.txt")]).toEqual([1, false]);
});
