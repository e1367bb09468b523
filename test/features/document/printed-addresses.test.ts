import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { askAt } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { serveKept } from "../../support/kept-process.ts";

const text = { type: "string" };
const sends = (schema: JsonObject): JsonObject => ({
  "200": { description: "", content: { "application/json": { schema } } },
});
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const takes = (name: string): JsonObject => ({
  requestBody: { content: { "application/json": { schema: ref(name) } } },
  responses: sends(ref(name)),
});
const at = (name: string, type: string): JsonObject => ({ name, in: "path", required: true, schema: { type } });

/** As the best known example of a document: pets are found by status, orders and users are in no list. */
const petShop: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "/v3" }],
  paths: {
    "/pet": { post: takes("Pet"), put: takes("Pet") },
    "/pet/findByStatus": {
      get: {
        parameters: [
          { name: "status", in: "query", required: true, schema: { ...text, enum: ["available", "pending", "sold"] } },
        ],
        responses: sends({ type: "array", items: ref("Pet") }),
      },
    },
    "/pet/{petId}": { parameters: [at("petId", "integer")], get: { responses: sends(ref("Pet")) } },
    "/store/order": { post: takes("Order") },
    "/store/order/{orderId}": { parameters: [at("orderId", "integer")], get: { responses: sends(ref("Order")) } },
    "/user": { post: takes("User") },
    "/user/{username}": { parameters: [at("username", "string")], get: { responses: sends(ref("User")) } },
  },
  components: {
    schemas: {
      Pet: {
        type: "object",
        required: ["name"],
        properties: {
          id: { type: "integer" },
          name: text,
          status: { ...text, enum: ["available", "pending", "sold"] },
        },
      },
      Order: { type: "object", properties: { id: { type: "integer" }, quantity: { type: "integer" } } },
      User: { type: "object", properties: { id: { type: "integer" }, username: text } },
    },
  },
};

test("every address that the start prints responds, and errors name lists that do", async () => {
  const served = await serveKept(["api.json"], createFolder({ "api.json": petShop }));
  const { url } = served;
  const lineOf = (name: string): string =>
    new RegExp(`^ +${name} +12 +(.*)$`, "m").exec(served.output.stdout)?.[1] ?? "";
  expect(lineOf("pet")).toMatch(/\/v3\/pet\/findByStatus\?status=(available|pending|sold)$/);
  expect(lineOf("order")).toBe(`${url}/order`);
  expect(lineOf("user")).toBe("not listed by the document");
  for (const name of ["pet", "order"]) expect((await fetch(lineOf(name))).status).toBe(200);

  const rex = { id: 77, name: "rex", status: "pending" };
  await askAt(url, "POST /v3/pet", { body: rex });
  expect((await askAt(url, "GET /v3/pet/findByStatus?status=pending")).body).toContainEqual(rex);

  const messageOf = async (path: string) => ((await askAt(url, `GET ${path}`)).body as JsonObject).message;
  const pets = new URL(lineOf("pet"));
  expect(await messageOf("/v3/pet/999")).toBe(
    `pet has no record with id "999". GET ${pets.pathname}${pets.search} lists those it has.`,
  );
  expect(await messageOf("/v3/store/order/999")).toMatch(/GET \/order lists those it has\.$/);
  expect(await messageOf("/v3/user/nobody")).toBe('user has no record with username "nobody".');
  await served.stop();
});
