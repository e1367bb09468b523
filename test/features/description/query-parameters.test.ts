import { expect, test } from "vitest";
import { startApi } from "../../support/api.ts";

interface Operation {
  readonly description?: string;
  readonly parameters: readonly { readonly name?: string; readonly $ref?: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

test("the description names what records, singletons and nested lists take and refuse", async () => {
  const data = { profile: { name: "Ada" }, companies: [{ id: 1 }], products: [{ id: 1, company_id: 1 }] };
  const { ask } = await startApi({ data });
  const { paths } = (await ask("GET /__openapi.json")).body as { paths: Record<string, { get: Operation }> };
  for (const path of ["/products", "/products/{id}", "/companies/{id}/products", "/profile"]) {
    const { parameters, responses } = paths[path]!.get;
    expect(parameters, path).toContainEqual({ $ref: "#/components/parameters/fields" });
    expect(responses, path).toHaveProperty("400");
  }
  expect(paths["/companies/{id}/products"]?.get.description).toBe(paths["/products"]?.get.description);
  for (const address of ["/products/1", "/profile"]) {
    expect((await ask(`GET ${address}?_fields=id,-name`)).status, address).toBe(400);
  }
});
