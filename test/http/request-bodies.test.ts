import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { codeOf, startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { askRaw, exchangeBytes, parseAnswer } from "../support/raw.ts";

const LINES = ["POST /products", "PUT /products/1", "PATCH /products/1", "PUT /profile"] as const;
const start = () => startApi({ data: { ...catalog(), profile: {} } });

describe("bodies that are JSON", () => {
  const types = [
    "application/json",
    "application/json; charset=utf-8",
    'APPLICATION/JSON; Charset="UTF-8"',
    "application/vnd.api+json",
    "application/merge-patch+json",
    "application/problem+json; charset=utf8",
    undefined,
  ];
  for (const type of types) {
    test(`Content-Type: ${type ?? "none"} -> 201`, async () => {
      const api = await start();
      const { status, body } = await api.ask("POST /products", {
        body: '{"name":"Hütchen"}',
        headers: { "Content-Type": type },
      });
      expect([status, body]).toEqual([201, { name: "Hütchen", id: 13 }]);
    });
  }

  test("in UTF-16, when the header says so -> 201", async () => {
    const api = await start();
    const { status, body } = await api.ask("POST /products", {
      body: Buffer.from('{"name":"Hütchen"}', "utf16le"),
      headers: { "Content-Type": "application/json; charset=utf-16le" },
    });
    expect([status, body]).toEqual([201, { name: "Hütchen", id: 13 }]);
  });

  test("with a byte order mark, and with white space around -> 201", async () => {
    const api = await start();
    expect((await api.ask("POST /products", { body: '\uFEFF {"name":"a"} ' })).body).toEqual({ name: "a", id: 13 });
    expect((await api.ask("POST /products", { body: '\r\n\t{"name":"b"}\n' })).body).toEqual({ name: "b", id: 14 });
  });

  test("sent in chunks -> 201", async () => {
    const { port } = await start();
    const headers = ["Content-Type: application/json", "Transfer-Encoding: chunked"];
    const answer = await askRaw(port, "POST /products", headers, '8\r\n{"name":\r\n4\r\n"a"}\r\n0\r\n\r\n');
    expect([answer.status, JSON.parse(answer.body)]).toEqual([201, { name: "a", id: 13 }]);
  });

  test("sent in chunks, of which there are none -> 201, an empty record", async () => {
    const { port } = await start();
    const headers = ["Content-Type: application/json", "Transfer-Encoding: chunked"];
    const answer = await askRaw(port, "POST /products", headers, "0\r\n\r\n");
    expect([answer.status, JSON.parse(answer.body)]).toEqual([201, { id: 13 }]);
  });

  const compressed: [encoding: string, bytes: Buffer][] = [
    ["gzip", gzipSync('{"name":"a"}')],
    ["GZIP", gzipSync('{"name":"a"}')],
    ["deflate", deflateSync('{"name":"a"}')],
    ["br", brotliCompressSync('{"name":"a"}')],
    ["identity", Buffer.from('{"name":"a"}')],
  ];
  for (const [encoding, body] of compressed) {
    test(`Content-Encoding: ${encoding} -> 201`, async () => {
      const api = await start();
      const answer = await api.ask("POST /products", { body, headers: { "Content-Encoding": encoding } });
      expect([answer.status, answer.body]).toEqual([201, { name: "a", id: 13 }]);
    });
  }
});

describe("bodies that are not JSON -> 400 BODY_MALFORMED, with line and column", () => {
  const cases: [body: string, line: number, column: number][] = [
    ["{", 1, 2],
    ['{"a"', 1, 5],
    ['{"a":', 1, 6],
    ['{"a":1', 1, 7],
    ['{"a":1,}', 1, 7],
    ['{\n  "a": 1,\n  b: 2\n}', 3, 3],
    ['{"a":1}}', 1, 8],
    ['{"a":1} x', 1, 9],
    ["[1,2", 1, 5],
    ["[1,,2]", 1, 4],
    ["{'a':1}", 1, 2],
    ['{"a":01}', 1, 7],
    ['{"a":1.}', 1, 7],
    ['{"a":+1}', 1, 6],
    ['{"a":NaN}', 1, 6],
    ['{"a":undefined}', 1, 6],
    ['{"a":"x', 1, 8],
    ['{"a":"\t"}', 1, 7],
    ['{"a":"\\x"}', 1, 7],
    ['{"a":"\\u12g4"}', 1, 7],
    ['\n\n  {"a":tru}', 3, 8],
    ["not json", 1, 1],
    [" ", 1, 2],
    ["\uFEFF{", 1, 2],
  ];
  for (const [body, line, column] of cases) {
    test(`${JSON.stringify(body)} -> line ${line}, column ${column}`, async () => {
      const api = await start();
      const answer = await api.ask("POST /products", { body });
      expect([answer.status, codeOf(answer)]).toEqual([400, "BODY_MALFORMED"]);
      expect((answer.body as { message: string }).message).toContain(`line ${line}, column ${column}:`);
    });
  }

  for (const line of LINES) {
    test(`${line} {"a":} -> 400, nothing changed`, async () => {
      const api = await start();
      const answer = await api.ask(line, { body: '{"a":}' });
      expect([answer.status, codeOf(answer)]).toEqual([400, "BODY_MALFORMED"]);
      expect((await api.ask("GET /db")).body).toEqual({ ...catalog(), profile: {} });
    });
  }

  test("DELETE /products/1 with a broken body -> 400, nothing removed", async () => {
    const api = await start();
    expect(codeOf(await api.ask("DELETE /products/1", { body: "{" }))).toBe("BODY_MALFORMED");
    expect((await api.ask("GET /products/1")).status).toBe(200);
  });

  test("a text of a million brackets is refused as any other, and the server keeps running", async () => {
    const api = await start();
    for (const body of ["[".repeat(1_000_000), '{"a":'.repeat(200_000), `"${"\\n".repeat(500_000)}`]) {
      expect(codeOf(await api.ask("POST /products", { body }))).toBe("BODY_MALFORMED");
    }
    expect((await api.ask("GET /products/1")).status).toBe(200);
  });
});

describe("bodies that are JSON but no object -> 400 BODY_NOT_OBJECT", () => {
  for (const line of LINES) {
    for (const body of [
      "5",
      '"text"',
      "true",
      "null",
      ...(line.startsWith("POST") ? ["[5]", "[[]]"] : ["[]", "[{}]"]),
    ]) {
      test(`${line} ${body}`, async () => {
        const api = await start();
        const answer = await api.ask(line, { body });
        expect([answer.status, codeOf(answer)]).toEqual([400, "BODY_NOT_OBJECT"]);
        expect((await api.ask("GET /db")).body).toEqual({ ...catalog(), profile: {} });
      });
    }
  }
});

describe("forms", () => {
  const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

  const cases: [body: string, record: unknown][] = [
    ["name=Steel+Hat&price=10", { name: "Steel Hat", price: "10", id: 13 }],
    ["name=%C3%A4&name=b", { name: ["ä", "b"], id: 13 }],
    ["a[b]=1", { "a[b]": "1", id: 13 }],
    ["name", { name: "", id: 13 }],
    ["id=77&name=x", { id: "77", name: "x" }],
  ];
  for (const [body, record] of cases) {
    test(`POST /products ${body} -> 201 ${JSON.stringify(record)}`, async () => {
      const api = await start();
      const answer = await api.ask("POST /products", { body, headers: FORM });
      expect([answer.status, answer.body]).toEqual([201, record]);
    });
  }

  for (const body of ['{"name":"x"}', ' [{"name":"x"}]', "\n{}"]) {
    test(`${JSON.stringify(body)}, as curl -d sends it -> 400 with the header to add`, async () => {
      const api = await start();
      const answer = await api.ask("POST /products", { body, headers: FORM });
      expect([answer.status, codeOf(answer)]).toEqual([400, "BODY_MALFORMED"]);
      expect((answer.body as { message: string }).message).toContain("Content-Type: application/json");
    });
  }

  test("__proto__=1 -> 400 KEY_FORBIDDEN", async () => {
    const api = await start();
    expect(codeOf(await api.ask("POST /products", { body: "a=1&__proto__=1", headers: FORM }))).toBe("KEY_FORBIDDEN");
  });

  test("1000 fields -> 201, 1001 -> 413", async () => {
    const api = await start();
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=1`).join("&");
    expect((await api.ask("POST /products", { body: fields(1000), headers: FORM })).status).toBe(201);
    const answer = await api.ask("POST /products", { body: fields(1001), headers: FORM });
    expect([answer.status, codeOf(answer)]).toEqual([413, "BODY_TOO_LARGE"]);
  });
});

describe("bodies of a kind that cannot be read -> 415 BODY_TYPE_UNSUPPORTED", () => {
  const cases: [header: string, value: string][] = [
    ["Content-Type", "text/plain"],
    ["Content-Type", "text/html"],
    ["Content-Type", "application/xml"],
    ["Content-Type", "application/octet-stream"],
    ["Content-Type", "application/jsonx"],
    ["Content-Type", "json"],
    ["Content-Type", "application/json; charset=latin1"],
    ["Content-Type", "application/json; charset=iso-8859-1"],
    ["Content-Type", "application/json; charset=utf-7"],
    ["Content-Type", "application/json; charset=x"],
    ["Content-Encoding", "compress"],
    ["Content-Encoding", "gzip, gzip"],
    ["Content-Encoding", "toString"],
  ];
  for (const [header, value] of cases) {
    test(`${header}: ${value}`, async () => {
      const api = await start();
      const answer = await api.ask("POST /products", { body: '{"a":1}', headers: { [header]: value } });
      expect([answer.status, codeOf(answer)]).toEqual([415, "BODY_TYPE_UNSUPPORTED"]);
      expect((await api.ask("GET /products")).body).toEqual(catalog().products);
    });
  }

  test("without a body the type does not matter: POST with text/plain and no body -> 201", async () => {
    const { port } = await start();
    const headers = ["Content-Type: text/plain", "Content-Length: 0"];
    expect((await askRaw(port, "POST /products", headers)).status).toBe(201);
  });
});

describe("bodies whose bytes are wrong -> 400 BODY_MALFORMED", () => {
  const cases: [name: string, body: Buffer, headers: Record<string, string>][] = [
    ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {}],
    ["UTF-8 cut in the middle of a character", Buffer.from('{"a":"ä').subarray(0, 7), {}],
    [
      "half a UTF-16 character",
      Buffer.from([0x7b, 0x00, 0x7d]),
      { "Content-Type": "application/json; charset=utf-16le" },
    ],
    ["gzip that is none", Buffer.from('{"a":1}'), { "Content-Encoding": "gzip" }],
    ["gzip that is cut off", gzipSync('{"a":1}').subarray(0, 15), { "Content-Encoding": "gzip" }],
    ["br that is none", Buffer.from([0xff, 0xff, 0xff]), { "Content-Encoding": "br" }],
  ];
  for (const [name, body, headers] of cases) {
    test(name, async () => {
      const api = await start();
      const answer = await api.ask("POST /products", { body, headers });
      expect([answer.status, codeOf(answer)]).toEqual([400, "BODY_MALFORMED"]);
    });
  }
});

describe("nesting", () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;
  const nestedArrays = (depth: number) => `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

  for (const [name, text] of [
    ["objects", nested],
    ["arrays", nestedArrays],
  ] as const) {
    test(`200 levels of ${name} -> 201`, async () => {
      const api = await start();
      expect((await api.ask("POST /products", { body: text(200) })).status).toBe(201);
      expect((await api.ask("GET /db")).status).toBe(200);
      expect((await api.ask("GET /products?q=x&a.a.a_like=x&_sort=a.a")).status).toBe(200);
    });

    for (const depth of [201, 5000, 100_000]) {
      test(`${depth} levels of ${name} -> 400 BODY_TOO_DEEP, and everything keeps running`, async () => {
        const api = await start();
        for (const line of LINES) {
          const answer = await api.ask(line, { body: text(depth) });
          expect([answer.status, codeOf(answer)], line).toEqual([400, "BODY_TOO_DEEP"]);
        }
        expect((await api.ask("GET /db")).body).toEqual({ ...catalog(), profile: {} });
        expect((await api.ask("POST /products", { body: {} })).status).toBe(201);
      });
    }
  }
});

describe("bodies that end too early", () => {
  test("a body shorter than its Content-Length -> 400, nothing created", async () => {
    const api = await start();
    const head = "POST /products HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n";
    const answer = parseAnswer(await exchangeBytes(api.port, `${head}{"name":"cut"}`, true));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ code: "REQUEST_MALFORMED" });
    expect((await api.ask("GET /products")).body).toEqual(catalog().products);
  });

  test("chunks that are none -> 400, nothing created", async () => {
    const api = await start();
    const headers = ["Content-Type: application/json", "Transfer-Encoding: chunked"];
    const answer = await askRaw(api.port, "POST /products", headers, "zz\r\n{}\r\n0\r\n\r\n");
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, "REQUEST_MALFORMED"]);
    expect((await api.ask("GET /products")).body).toEqual(catalog().products);
  });
});
