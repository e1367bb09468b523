import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDynamicValues } from "../../src/hosted/dynamic-variables.ts";
import { type Api, codeOf } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { openHosted, startHosted } from "../support/hosted.ts";

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.0.0/collection.json";

const saved = (name: string, originalRequest: unknown, body: unknown, more: object = {}): object => ({
  name,
  code: 200,
  originalRequest,
  body: typeof body === "string" ? body : JSON.stringify(body),
  ...more,
});
const JSON_TYPE = [{ key: "Content-Type", value: "application/json" }];

/** A collection as Postman exports it in version 2.0: addresses are texts, authorisation is made of objects. */
const COLLECTION = {
  info: { name: "Shop", schema: SCHEMA },
  auth: { type: "bearer", bearer: { token: "{{token}}" } },
  variable: [
    { id: "baseUrl", value: "https://shop.example.com/api/v1/" },
    { key: "currency", value: "EUR" },
  ],
  item: [
    {
      name: "List users",
      request: { method: "GET", url: "{{baseUrl}}users", header: "Accept: application/json\nX-Tenant: a" },
      response: [saved("users", { method: "GET", url: "{{baseUrl}}users?page=1" }, { page: 1, in: "{{currency}}" })],
    },
    {
      name: "One user",
      request: "{{baseUrl}}/users/:id",
      response: [
        saved("user 7", { url: { raw: "{{baseUrl}}/users/:id", variable: [{ id: "id", value: "7" }] } }, { user: 7 }),
        saved("no address of its own", {}, { user: "any" }, { code: 418 }),
      ],
    },
    {
      name: "In parts",
      request: "{{baseUrl}}/parts",
      response: [saved("parts", { url: { host: ["{{baseUrl}}"], path: ["parts", { value: "a" }] } }, { parts: true })],
    },
    {
      name: "Own path",
      request: { method: "GET", url: "https://other.example.com/users/:id/log" },
      response: [saved("log", null, "a line", { header: "Content-Type: text/csv\nX-Kind: log" })],
    },
    {
      name: "Same path without the base",
      request: { method: "GET", url: "https://other.example.com/parts/a" },
      response: [saved("other parts", null, { other: true })],
    },
    {
      name: "Dynamic",
      request: { method: "POST", url: "{{baseUrl}}/orders/{{$guid}}/lines/n-{{$randomInt}}?trace=t-{{$guid}}" },
      response: [
        saved(
          "made",
          null,
          '{"id":"{{$guid}}","n":{{$randomInt}},"who":{{$randomFullName}},"at":{{$timestamp}},"iso":"{{$isoTimestamp}}","kept":"{{$nosuch}}"}',
          { code: 201, header: [...JSON_TYPE, { key: "Location", value: "/orders/{{$guid}}" }] },
        ),
      ],
    },
    { name: "Not saved yet", request: { method: "PUT", url: "{{baseUrl}}/users/:id" }, response: [] },
    {
      name: "Comments",
      request: { method: "POST", url: "{{baseUrl}}/notes", body: { mode: "raw", raw: '{ "a": "//b" /* c */ } // d' } },
      response: [saved("note", null, { note: 1 })],
    },
    {
      name: "Query",
      request: {
        method: "POST",
        url: "{{baseUrl}}/graphql",
        body: { mode: "graphql", graphql: { query: "{ a }", variables: '{ "b": 1 }' } },
      },
      response: [saved("queried", null, { data: 1 })],
    },
  ],
};

describe("a collection of version 2.0", () => {
  let api: Api & { close(): Promise<void> };
  beforeAll(async () => {
    api = await openHosted(join(createFolder({ "shop.json": COLLECTION }), "shop.json"));
  });
  afterAll(() => api.close());

  const matching = (body: unknown): object => ({ body, headers: { "x-mock-match-request-body": "true" } });
  const cases: readonly [line: string, status: number, body: unknown, options?: object][] = [
    ["GET /api/v1/users?page=1", 200, { page: 1, in: "EUR" }],
    ["GET /users", 200, { page: 1, in: "EUR" }],
    ["GET /api/v1/users/7", 200, { user: 7 }],
    ["GET /users/7", 200, { user: 7 }],
    ["GET /users/8", 200, { user: 7 }],
    ["GET /users/8", 418, { user: "any" }, { headers: { "x-mock-response-code": "418" } }],
    ["GET /api/v1/parts/a", 200, { parts: true }],
    ["GET /parts/a", 200, { other: true }],
    ["GET /users/3/log", 200, "a line"],
    ["GET /api/v1/users/3/log", 404, "EXAMPLE_NOT_FOUND"],
    ["GET /v1/users", 404, "EXAMPLE_NOT_FOUND"],
    ["POST /notes", 200, { note: 1 }, matching({ a: "//b" })],
    ["POST /graphql", 200, { data: 1 }, matching({ query: "{ a }", variables: { b: 1 } })],
    ["POST /graphql", 404, "EXAMPLE_NOT_FOUND", matching({ query: "{ b }" })],
  ];
  for (const [line, status, body, options] of cases) {
    test(`${line} -> ${status}`, async () => {
      const response = await api.ask(line, options);
      expect(response.status, response.text).toBe(status);
      if (status === 404) expect(codeOf(response)).toBe(body);
      else if (typeof body === "string") expect(response.text).toBe(body);
      else expect(response.body).toEqual(body);
    });
  }

  test("headers that are lines of text", async () => {
    const { headers } = await api.ask("GET /users/3/log");
    expect([headers.get("content-type"), headers.get("x-kind")]).toEqual(["text/csv; charset=utf-8", "log"]);
  });

  test("a request without a saved example is named as such", async () => {
    const response = await api.ask("PUT /users/5", { body: {} });
    expect([response.status, codeOf(response)]).toEqual([404, "EXAMPLE_NOT_FOUND"]);
    expect(response.body).toMatchObject({
      message: expect.stringMatching(/\("Not saved yet"\), but it has no saved example. In Postman: send/),
      nearest: [{ example: "Not saved yet", request: expect.stringMatching(/^PUT .*users/) }],
    });
  });

  test("dynamic variables: any value in an address, and new ones in each response", async () => {
    const ask = () => api.ask("POST /orders/0b6/lines/n-12?trace=anything", { body: {} });
    const [first, second] = [await ask(), await ask()];
    const body = first.body as Record<string, unknown>;
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      n: expect.any(Number),
      who: expect.stringMatching(/^\S+ \S+/),
      at: expect.any(Number),
      iso: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      kept: "{{$nosuch}}",
    });
    expect(body).not.toEqual(second.body);
    expect(first.headers.get("location")).toMatch(/^\/orders\/[0-9a-f-]{36}$/);
    expect((await api.ask("POST /orders/0b6/lines/12", { body: {} })).status).toBe(404);
  });
});

test("the same seed gives the same dynamic values in the same order, another one others", async () => {
  const file = join(createFolder({ "shop.json": COLLECTION }), "shop.json");
  const values = async (seed: number): Promise<unknown[]> => {
    const api = await openHosted(file, seed);
    const two = [await api.ask("POST /orders/1/lines/n-1"), await api.ask("POST /orders/1/lines/n-1")];
    await api.close();
    return two.map(({ body, headers }) => [(body as { id: string; who: string }).id, headers.get("location")]);
  };
  expect(await values(1)).toEqual(await values(1));
  expect(await values(1)).not.toEqual(await values(2));
});

test("standin's own format has them, too, and numbers stay numbers", async () => {
  const body = { id: "{{$guid}}", n: "{{$randomInt}}", text: "n {{$randomInt}}", is: "{{$randomBoolean}}" };
  const api = await startHosted({ examples: [{ request: { path: "/a" }, response: { body } }] });
  expect((await api.ask("GET /a")).body).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    n: expect.any(Number),
    text: expect.stringMatching(/^n \d+$/),
    is: expect.any(Boolean),
  });
});

test("every dynamic variable that Postman documents has a value", () => {
  const dynamic = createDynamicValues(1);
  const documented =
    "guid timestamp isoTimestamp randomUUID randomAlphaNumeric randomBoolean randomInt randomColor randomHexColor randomAbbreviation " +
    "randomIP randomIPV6 randomMACAddress randomPassword randomLocale randomUserAgent randomProtocol randomSemver randomFirstName " +
    "randomLastName randomFullName randomNamePrefix randomNameSuffix randomJobArea randomJobDescriptor randomJobTitle randomJobType " +
    "randomPhoneNumber randomPhoneNumberExt randomCity randomStreetName randomStreetAddress randomCountry randomCountryCode " +
    "randomLatitude randomLongitude randomAvatarImage randomImageUrl randomAbstractImage randomAnimalsImage randomBusinessImage " +
    "randomCatsImage randomCityImage randomFoodImage randomNightlifeImage randomFashionImage randomPeopleImage randomNatureImage " +
    "randomSportsImage randomTransportImage randomImageDataUri randomBankAccount randomBankAccountName randomCreditCardMask " +
    "randomBankAccountBic randomBankAccountIban randomTransactionType randomCurrencyCode randomCurrencyName randomCurrencySymbol " +
    "randomBitcoin randomPrice randomCompanyName randomCompanySuffix randomBs randomBsAdjective randomBsBuzz randomBsNoun " +
    "randomCatchPhrase randomCatchPhraseAdjective randomCatchPhraseDescriptor randomCatchPhraseNoun randomDatabaseColumn " +
    "randomDatabaseType randomDatabaseCollation randomDatabaseEngine randomDateFuture randomDatePast randomDateRecent randomWeekday " +
    "randomMonth randomDomainName randomDomainSuffix randomDomainWord randomEmail randomExampleEmail randomUserName randomUrl " +
    "randomFileName randomFileType randomFileExt randomCommonFileName randomCommonFileType randomCommonFileExt randomFilePath " +
    "randomDirectoryPath randomMimeType randomProduct randomProductAdjective randomProductMaterial randomProductName " +
    "randomDepartment randomNoun randomVerb randomIngverb randomAdjective randomWord randomWords randomPhrase randomLoremWord " +
    "randomLoremWords randomLoremSentence randomLoremSentences randomLoremParagraph randomLoremParagraphs randomLoremText " +
    "randomLoremSlug randomLoremLines";
  for (const name of documented.split(" ")) {
    expect(dynamic.has(`$${name}`), name).toBe(true);
    expect(dynamic.next(`$${name}`), name).toMatch(/\S/);
  }
  expect(["$constructor", "guid", "$", "$random"].map(dynamic.has)).toEqual([false, false, false, false]);
});

describe("an environment", () => {
  const values = [
    { key: "baseUrl", value: "http://localhost/test/", enabled: true },
    { key: "currency", value: "CHF" },
    { key: "currency", value: "off", enabled: false },
  ];
  const open = async (environment: unknown, mock: unknown = COLLECTION) => {
    const folder = createFolder({ "shop.json": mock, "test.json": environment });
    return openHosted(join(folder, "shop.json"), 1, undefined, join(folder, "test.json"));
  };

  test("wins over the variables of the collection", async () => {
    for (const file of [{ name: "Test", values }, { environment: { values } }]) {
      const api = await open(file);
      expect((await api.ask("GET /test/users")).body).toEqual({ page: 1, in: "CHF" });
      expect((await api.ask("GET /users")).status).toBe(200);
      expect((await api.ask("GET /api/v1/users")).status).toBe(404);
      await api.close();
    }
  });

  test("must be one, and is for collections only", async () => {
    await expect(open({ item: [] })).rejects.toThrow(/test\.json: #: is not a Postman environment/);
    await expect(open({ values }, { examples: [{ request: { path: "/a" }, response: {} }] })).rejects.toThrow(
      /--environment is for Postman collections, and .*shop\.json is an examples file\./,
    );
  });
});

test("a collection without any saved example starts, and says what to do", async () => {
  const api = await startHosted({ info: COLLECTION.info, item: [{ name: "a", request: "/a" }] });
  const response = await api.ask("GET /a");
  expect([response.status, codeOf(response)]).toEqual([404, "EXAMPLE_NOT_FOUND"]);
  expect(response.text).toContain("Save Response");
});
