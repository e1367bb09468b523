import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { askRaw } from "../support/raw.ts";

describe("X-Total-Count: how many there are, present with pagination", () => {
  const cases: [query: string, count: string | null][] = [
    ["", null],
    ["company_id=2", null],
    ["_sort=price&_order=desc", null],
    ["_page=1", "12"],
    ["_page=99", "12"],
    ["_limit=1", "12"],
    ["_limit=0", "12"],
    ["_start=3", "12"],
    ["_end=3", "12"],
    ["_start=3&_end=5", "12"],
    ["_page=", null],
    // After filtering, before slicing.
    ["company_id=2&_page=1&_limit=2", "4"],
    ["company_id=2&_start=1&_limit=1", "4"],
    ["q=lamp&_limit=1", "2"],
    ["name_like=nothing&_limit=1", "0"],
  ];
  for (const [query, count] of cases) {
    test(`GET /products?${query} -> ${count ?? "none"}`, async () => {
      const api = await startApi();
      expect((await api.ask(`GET /products?${query}`)).headers.get("x-total-count")).toBe(count);
    });
  }
});

describe("Content-Range: the returned slice", () => {
  const cases: [path: string, range: string | null][] = [
    ["/products?_start=0&_end=10", "products 0-9/12"],
    ["/products?_start=3&_end=6", "products 3-5/12"],
    ["/products?_start=3&_limit=2", "products 3-4/12"],
    ["/products?_start=9", "products 9-11/12"],
    ["/products?_end=4", "products 0-3/12"],
    ["/products?_limit=5", "products 0-4/12"],
    ["/products?_start=10&_end=99", "products 10-11/12"],
    ["/products?_start=-2", "products 10-11/12"],
    ["/products?_end=-10", "products 0-1/12"],
    ["/products?_start=4&_end=5", "products 4-4/12"],
    ["/products?company_id=2&_start=1&_end=3", "products 1-2/4"],
    // An empty slice.
    ["/products?_limit=0", "products */12"],
    ["/products?_start=12", "products */12"],
    ["/products?_start=5&_end=3", "products */12"],
    ["/products?name=nobody&_start=0&_end=5", "products */0"],
    [`/products?_start=-${"9".repeat(400)}&_limit=${"9".repeat(400)}`, "products */12"],
    ["/companies/2/products?_start=0&_end=2", "products 0-1/4"],
    ["/PRODUCTS?_limit=1", "products 0-0/12"],
    ["/products", null],
    ["/products?_page=2&_limit=5", null],
    ["/products?company_id=2", null],
  ];
  for (const [path, range] of cases) {
    test(`GET ${path} -> ${range ?? "none"}`, async () => {
      const api = await startApi();
      expect((await api.ask(`GET ${path}`)).headers.get("content-range")).toBe(range);
    });
  }

  test("a name that is not valid header text is percent-encoded", async () => {
    const api = await startApi({ data: { "grüne äpfel": [{ id: 1 }] } });
    const { headers } = await api.ask("GET /gr%C3%BCne%20%C3%A4pfel?_limit=1");
    expect(headers.get("content-range")).toBe("gr%C3%BCne%20%C3%A4pfel 0-0/1");
  });
});

describe("Link: the other pages", () => {
  /** Each relation with the page it leads to, from the header of an answer. */
  async function linksOf(path: string): Promise<Record<string, string>> {
    const api = await startApi();
    const header = (await api.ask(`GET ${path}`)).headers.get("link") ?? "";
    const links = [...header.matchAll(/<([^>]+)>; rel="(\w+)"/g)];
    return Object.fromEntries(links.map(([, url, relation]) => [relation, url!.replace(api.url, "")]));
  }

  const cases: [path: string, links: Record<string, string>][] = [
    [
      "/products?_page=1&_limit=5",
      { first: "/products?_page=1&_limit=5", next: "/products?_page=2&_limit=5", last: "/products?_page=3&_limit=5" },
    ],
    [
      "/products?_page=2&_limit=5",
      {
        first: "/products?_page=1&_limit=5",
        prev: "/products?_page=1&_limit=5",
        next: "/products?_page=3&_limit=5",
        last: "/products?_page=3&_limit=5",
      },
    ],
    [
      "/products?_limit=5&_page=3",
      { first: "/products?_limit=5&_page=1", prev: "/products?_limit=5&_page=2", last: "/products?_limit=5&_page=3" },
    ],
    // Only the page's own parameter is rewritten.
    [
      "/products?homepage=2&_page=2",
      {
        first: "/products?homepage=2&_page=1",
        prev: "/products?homepage=2&_page=1",
        last: "/products?homepage=2&_page=2",
      },
    ],
    ["/products?name_like=a%26b%20c&_page=0&_limit=5", {}],
    [
      "/products?_page=0&_limit=5",
      { first: "/products?_page=1&_limit=5", next: "/products?_page=2&_limit=5", last: "/products?_page=3&_limit=5" },
    ],
    ["/products?_page=1&_limit=12", {}],
    ["/products?_page=9", {}],
    ["/products?_limit=5", {}],
    [`/products?_page=1&_limit=${"9".repeat(400)}`, {}],
  ];
  for (const [path, links] of cases) {
    test(`GET ${path.slice(0, 80)} -> ${Object.keys(links).join(", ") || "none"}`, async () => {
      expect(await linksOf(path)).toEqual(links);
    });
  }

  test("a URL in Link ends at its >, whatever the client sent", async () => {
    const api = await startApi();
    const { headers } = await askRaw(api.port, "GET /products?x=<a>&_page=2&_limit=6");
    expect(headers.link).toContain('/products?x=<a%3E&_page=1&_limit=6>; rel="prev"');
  });

  test("none where a rewrite rule says which page it is: no address would lead to another one", async () => {
    const api = await startApi({ routes: { "/second": "/products?_page=2&_limit=5", "/api/*": "/$1" } });
    const second = await api.ask("GET /second");
    expect([second.headers.get("link"), second.headers.get("x-total-count")]).toEqual([null, "12"]);
    // A page that the client sends takes the place of the rule's.
    expect((await api.ask("GET /second?_page=3")).headers.get("link")).toContain('/second?_page=2>; rel="prev"');
    expect((await api.ask("GET /api/products?_page=2&_limit=5")).headers.get("link")).toContain(
      "/api/products?_page=3",
    );
  });

  test("they stand in the order first, prev, next, last, as absolute URLs", async () => {
    const api = await startApi();
    const { headers } = await api.ask("GET /products?_page=2&_limit=5");
    expect(headers.get("link")).toBe(
      [
        `<${api.url}/products?_page=1&_limit=5>; rel="first"`,
        `<${api.url}/products?_page=1&_limit=5>; rel="prev"`,
        `<${api.url}/products?_page=3&_limit=5>; rel="next"`,
        `<${api.url}/products?_page=3&_limit=5>; rel="last"`,
      ].join(", "),
    );
  });

  test("following next visits every record once", async () => {
    const api = await startApi();
    const seen: number[] = [];
    let path: string | undefined = "/products?_page=1&_limit=5&_sort=price";
    while (path !== undefined) {
      const { body, headers } = await api.ask(`GET ${path}`);
      seen.push(...(body as { id: number }[]).map(({ id }) => id));
      path = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]?.replace(api.url, "");
    }
    expect(seen.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });
});

describe("Access-Control-Expose-Headers names what a page of another origin may read", () => {
  const cases: [line: string, exposed: string[]][] = [
    ["GET /products", ["ETag"]],
    ["GET /products?_page=1", ["X-Total-Count", "Link", "ETag"]],
    ["GET /products?_start=0&_end=1", ["X-Total-Count", "Content-Range", "ETag"]],
    ["GET /products?_limit=1", ["X-Total-Count", "Content-Range", "ETag"]],
    ["POST /products", ["Location", "ETag"]],
    ["GET /products/1", ["ETag"]],
    ["GET /nowhere", []],
  ];
  for (const [line, exposed] of cases) {
    test(`${line} -> ${exposed.join(", ") || "none"}`, async () => {
      const api = await startApi();
      const { headers } = await api.ask(line, { headers: { Origin: "http://page.example" } });
      const named = headers.get("access-control-expose-headers")?.split(", ") ?? [];
      expect(named.toSorted()).toEqual(exposed.toSorted());
      for (const name of named) expect(headers.get(name), name).not.toBeNull();
    });
  }
});

describe("the built-in cross-origin headers", () => {
  test("the origin is echoed with credentials", async () => {
    const api = await startApi();
    for (const line of ["GET /products", "POST /products", "GET /nowhere"]) {
      const { headers } = await api.ask(line, { headers: { Origin: "http://page.example" } });
      expect(headers.get("access-control-allow-origin"), line).toBe("http://page.example");
      expect(headers.get("access-control-allow-credentials"), line).toBe("true");
      expect(headers.get("vary"), line).toMatch(/\bOrigin\b/);
    }
  });

  test("without an Origin there is nothing to allow", async () => {
    const api = await startApi();
    expect((await api.ask("GET /products")).headers.get("access-control-allow-origin")).toBeNull();
  });

  test("with no-cors there are none", async () => {
    const api = await startApi({ cors: false });
    const { headers } = await api.ask("GET /products", { headers: { Origin: "http://page.example" } });
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  });
});

describe("headers of every JSON response", () => {
  test("Content-Type with charset, Content-Length, nosniff, no-cache", async () => {
    const { port } = await startApi({ data: { products: [{ id: 1, name: "Hütchen" }] } });
    for (const line of ["GET /products", "GET /products/1", "POST /products", "GET /nowhere"]) {
      const { headers, body } = await askRaw(port, line);
      expect(headers["content-type"], line).toBe("application/json; charset=utf-8");
      expect(Number(headers["content-length"]), line).toBe(body.length);
      expect(headers["x-content-type-options"], line).toBe("nosniff");
      expect(headers["cache-control"], line).toBe("no-cache");
    }
  });
});

describe("the address in Location and Link", () => {
  const forwarded = ["X-Forwarded-Proto: https", "X-Forwarded-Host: api.example:8443"];

  const cases: [headers: string[], trustProxy: boolean, origin: string][] = [
    [["Host: shop.example:99"], false, "http://shop.example:99"],
    [["Host: [::1]:99"], false, "http://[::1]:99"],
    [["Host: shop.example", ...forwarded], false, "http://shop.example"],
    [["Host: shop.example", ...forwarded], true, "https://api.example:8443"],
    [["Host: shop.example", "X-Forwarded-Proto: https"], true, "https://shop.example"],
    [["Host: shop.example", "X-Forwarded-Host: api.example"], true, "http://api.example"],
    [
      ["Host: shop.example", "X-Forwarded-Proto: https, http", "X-Forwarded-Host: a.example, b.example"],
      true,
      "https://a.example",
    ],
    [["Host: shop.example", "X-Forwarded-Proto: javascript"], true, "http://shop.example"],
  ];
  for (const [headers, trustProxy, origin] of cases) {
    test(`${headers.join(", ")} ${trustProxy ? "behind a trusted proxy" : "from anyone"} -> ${origin}`, async () => {
      const { port } = await startApi({ trustProxy });
      const post = await askRaw(port, "POST /products", headers);
      expect(post.headers.location).toBe(`${origin}/products/13`);
      const page = await askRaw(port, "GET /products?_page=1&_limit=5", headers);
      expect(page.headers.link).toContain(`<${origin}/products?_page=2&_limit=5>; rel="next"`);
    });
  }

  for (const host of ['evil.example"><script>', "a.example/path", "user@b.example", "a b", "", "x:y:z"]) {
    test(`Host: ${host} is not repeated`, async () => {
      const { port } = await startApi({ trustProxy: true });
      const { headers } = await askRaw(port, "POST /products", [`Host: ${host}`, "X-Forwarded-Proto: javascript"]);
      expect(headers.location).toBe(`http://127.0.0.1:${port}/products/13`);
    });
  }
});

describe("Content-Length of lists", () => {
  const records = Array.from({ length: 80 }, (_, at) => ({ id: at + 1, kind: at < 40 ? "a" : "b", price: at }));
  const lists = [
    "/items?_page=3&_limit=16",
    "/items?_page=3&_limit=16&_sort=price",
    "/items?kind=a",
    "/items?price_gte=30&price_lte=39",
  ];

  test("it counts bytes, not characters, as soon as a record is not ASCII", async () => {
    const api = await startApi({ data: { items: records } });
    for (const name of ["plain", "\u00e9\u4e2d\ud83d\ude00", "plain again"]) {
      await api.ask("PATCH /items/35", { body: { name } });
      for (const path of lists) {
        const { headers, body } = await askRaw(api.port, `GET ${path}`);
        expect(Number(headers["content-length"]), path).toBe(body.length);
        const shown = JSON.parse(Buffer.from(body, "latin1").toString()) as { id: number; name?: string }[];
        expect(shown.find(({ id }) => id === 35)?.name, path).toBe(name);
      }
    }
  });
});
