import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requests } from "../../src/commands/requests.ts";
import { type Api, startApi } from "../support/api.ts";
import { readBrunoFolder } from "../support/bruno-folder.ts";
import { createFolder } from "../support/cli.ts";
import { readHttpFile } from "../support/http-file.ts";
import { runK6 } from "../support/k6-script.ts";
import { send } from "../support/sent-request.ts";

const SECRET = "hunter2-hunter2";

/** A server that has seen some requests. */
async function used(): Promise<Api> {
  const api = await startApi();
  await api.ask("GET /products?_page=2&_limit=3", { headers: { "user-agent": "me", accept: "application/json" } });
  await api.ask("GET /products?_page=2&_limit=3", { headers: { "user-agent": "me", accept: "application/json" } });
  await api.ask(`GET /products?token=${SECRET}&name_like=hat`, { headers: { "x-api-key": SECRET } });
  await api.ask("POST /products", {
    body: { name: "{{new}}", price: 1 },
    headers: { authorization: `Bearer ${SECRET}` },
  });
  await api.ask("GET /products/13");
  await api.ask("POST /companies", { body: { name: "Ann", password: SECRET, nested: [{ apiKey: SECRET }] } });
  await api.ask("POST /companies", {
    body: `name=Bo&password=${SECRET}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  await api.ask("DELETE /products/1", { headers: { "x-standin-sandbox": "mine" } });
  await api.ask("GET /products/999");
  await api.ask("GET /products/999");
  return api;
}

async function writeSeen({ url }: Pick<Api, "url">, format: string): Promise<string> {
  const out = join(createFolder(), "seen");
  await requests([url, "--seen", "--format", format, "--out", out, "--quiet"]);
  return out;
}

describe("requests that a server has seen", () => {
  test("http: each once, in groups, with variables in place of secrets; sent again, they get the same status", async () => {
    const api = await used();
    const text = readFileSync(await writeSeen(api, "http"), "utf8");
    expect(text).not.toContain("hunter2");
    expect(text).not.toContain("hunte");
    expect(text.match(/^[A-Z]+ \{\{baseUrl\}\}.*$/gm)).toEqual([
      "GET {{baseUrl}}/products?_page=2&_limit=3",
      "GET {{baseUrl}}/products?token={{token}}&name_like=hat",
      "POST {{baseUrl}}/products",
      "GET {{baseUrl}}/products/13",
      "DELETE {{baseUrl}}/products/1",
      "GET {{baseUrl}}/products/999",
      "POST {{baseUrl}}/companies",
      "POST {{baseUrl}}/companies",
    ]);
    expect(text).toContain("x-api-key: {{xApiKey}}\n");
    expect(text).toContain("authorization: Bearer {{token}}\n");
    expect(text).toContain('"password": "{{password}}"');
    expect(text).toContain('"apiKey": "{{apiKey}}"');
    expect(text).toContain("name=Bo&password={{password}}");
    expect(text).toContain("x-standin-sandbox: mine\n");
    expect(text).not.toContain("user-agent");
    expect(text).toContain(`@baseUrl = ${api.url}\n`);
    const again = readHttpFile(text, { token: SECRET, password: SECRET });
    const statuses = [];
    for (const request of again) statuses.push((await send(request)).status);
    // The product 1 of the sandbox is gone already.
    expect(statuses).toEqual([200, 200, 201, 200, 404, 404, 201, 201]);
    const created = await api.ask("GET /products?name=%7B%7Bnew%7D%7D");
    expect((created.body as unknown[]).length).toBe(2);
  });

  test("bruno and postman have the same requests", async () => {
    const api = await used();
    const lines = readBrunoFolder(await writeSeen(api, "bruno"), {}).map(({ method, url }) => `${method} ${url}`);
    expect(lines).toContain(`DELETE ${api.url}/products/1`);
    const collection = JSON.parse(readFileSync(await writeSeen(api, "postman"), "utf8"));
    expect(collection.item.map(({ name, item }: { name: string; item: unknown[] }) => [name, item.length])).toEqual([
      ["products", 6],
      ["companies", 2],
    ]);
    expect(JSON.stringify(collection)).not.toContain("hunte");
  });

  test("k6: in the order in which they came, all in a sandbox", async () => {
    const api = await used();
    const script = await writeSeen(api, "k6");
    expect(readFileSync(script, "utf8")).not.toContain("hunte");
    const before = (await api.ask("GET /db")).text;
    const run = await runK6(script, { env: { PASSWORD: "x" }, users: 1, iterations: 1 });
    expect(run.failed).toEqual([]);
    expect(run.sent.map(({ method, url }) => `${method} ${url.slice(api.url.length)}`).slice(0, 5)).toEqual([
      "DELETE /__sandboxes/k6-1",
      "GET /products?_page=2&_limit=3",
      "GET /products?token=&name_like=hat",
      "POST /products",
      "GET /products/13",
    ]);
    expect((await api.ask("GET /db")).text).toBe(before);
  });

  test("the body of a request that the server has not kept is left out, with a remark", async () => {
    const api = await startApi();
    await api.ask("POST /companies", { body: { name: "x".repeat(5000) } });
    const text = readFileSync(await writeSeen(api, "http"), "utf8");
    expect(text).toMatch(/^# The body is not here: the server has not kept it \((long|truncated)\)\.$/m);
    expect(text).not.toContain("xxxxx");
  });

  test("nothing seen, no log, no server and no URL are start errors", async () => {
    const out = ["--quiet", "--out", join(createFolder(), "a.http")];
    const api = await startApi();
    await expect(requests([api.url, "--seen", ...out])).rejects.toThrow(/has seen no request yet/);
    const silent = await startApi({ traffic: 0 });
    await expect(requests([silent.url, "--seen", ...out])).rejects.toThrow(/--traffic 0/);
    const closed = await startApi({ console: false });
    await expect(requests([closed.url, "--seen", ...out])).rejects.toThrow(/has no log of requests/);
    const guarded = await startApi({ middlewares: ["bearer"], layers: { bearer: { token: SECRET } } });
    await expect(requests([guarded.url, "--seen", ...out])).rejects.toThrow(/responds with 401/);
    await expect(requests(["db.json", "--seen", ...out])).rejects.toThrow(
      /--seen reads the requests of a running server/,
    );
    await expect(requests(["http://localhost:1", "--seen", ...out])).rejects.toThrow(/does not respond/);
  });
});
