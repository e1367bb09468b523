import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStandin, type Standin } from "../../src/index.ts";
import { askAt, codeOf, idsOf } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";

let standin: Pick<Standin, "url" | "close">;

beforeAll(async () => {
  standin = await createStandin({ data: { ...catalog(), empty: [] } });
});
afterAll(() => standin.close());

const ask = (address: string, Prefer?: string) => askAt(standin.url, `GET ${address}`, { headers: { Prefer } });

describe("Prefer: handling=strict refuses unknown names, with the nearest one", () => {
  const refused: [address: string, nearest: string][] = [
    ["/products?prise=10", '"price"'],
    ["/products?prise:gt=10", '"price"'],
    ["/products?prise_gte=10", '"price"'],
    ["/products?_or=prise:gt=10", '"price"'],
    ['/products?_where={"prise":{"gt":10}}', '"price"'],
    ['/products?_where={"or":[{"id":1},{"not":{"prise":1}}]}', '"price"'],
    ["/products?_sort=prise", '"price"'],
    ["/products?_sort=-prise", '"price"'],
    ["/products?_sort=price&_order=dsc", '"desc"'],
    ["/products?_fields=id,prise", '"price"'],
    ["/products?_fields=-prise", '"price"'],
    ["/products/1?_fields=prise", '"prise"'],
    ["/products?_group=compani_id", '"company_id"'],
    ["/products?_aggregate=sum:prise", '"price"'],
    ["/products?_embed=compani", ""],
    ["/products?_expand=compani", '"company"'],
    ["/companies?_embed=product", '"products"'],
    ["/products/1?_expand=compani", '"company"'],
    ["/products?_pages=2", '"_page"'],
    ["/products?_order_by=price", '"_order'],
    ["/products/1?_feilds=id", '"_fields"'],
    ["/products?price_cotains=1", '"price:contains"'],
    ["/companies?headquarter.lt:gt=5", "headquarter.lt"],
    ["/companies/1/products?prise=1", '"price"'],
  ];
  for (const [address, nearest] of refused) {
    test(`${address} -> 400 ${nearest}`, async () => {
      const answer = await ask(address, "handling=strict");
      expect([answer.status, codeOf(answer)]).toEqual([400, expect.stringMatching(/^QUERY_(INVALID|FIELD_UNKNOWN)$/)]);
      expect((answer.body as { message: string }).message).toContain(nearest);
    });
  }

  const served = [
    "/products?price:gt=10",
    "/products?price_gt=10&_sort=-price&_fields=id,name&_or=id=1",
    '/products?_where={"price":{"gt":10}}',
    "/products?_group=company_id&_aggregate=count,sum:price&_sort=-sum_price&_having=count:gt=1",
    "/products?_expand=company&_fields=id,company.name",
    "/companies?_embed=products&_fields=products.id",
    "/companies?locations.city:in=Rome&headquarter.lat:gt=1",
    "/products?_page=1&_per_page=5",
    "/products?_after=&_limit=2",
    "/products/1?_fields=id",
    "/empty?anything=1",
    "/products?_=1&q=steel",
  ];
  for (const address of served) {
    test(`${address} -> 200`, async () => {
      const answer = await ask(address, "handling=strict");
      expect(answer.status, answer.text).toBe(200);
    });
  }

  test("without it, unknown names are ignored or match nothing, as in 0.17", async () => {
    expect(idsOf(await ask("/products?prise=10&_pages=2&_fields=id,prise&_embed=compani"))).toHaveLength(12);
    expect(idsOf(await ask("/products?prise:gt=10"))).toEqual([]);
  });
});
