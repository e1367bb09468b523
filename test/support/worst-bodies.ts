const MOST_VALUES = 490_000;

/** Bodies that keep a server busy longest, for their size; `bytes` is about how long each of them is. */
export interface WorstBody {
  readonly line: string;
  readonly body: string;
  readonly type?: string;
  readonly status: number;
}

export function worstBodies(bytes: number): Readonly<Record<string, WorstBody>> {
  /** As many as fit, or as are allowed if each has this many values. */
  const many = (unit: string, values: number, separator = ","): string => {
    const count = Math.min(Math.floor(bytes / (unit.length + separator.length)) - 2, Math.floor(MOST_VALUES / values));
    return `${`${unit}${separator}`.repeat(count - 1)}${unit}`;
  };
  const record = '{"name":"Steel Hat","price":9.75,"tags":["new","old"],"company_id":3,"at":"2030-01-01T00:00:00Z"}';
  const keys = Array.from({ length: Math.floor(bytes / 14) }, (_, index) => `"k${index}":1`).join(",");
  const records = Array.from({ length: 5000 }, () => `{"a":"${"x".repeat(Math.max(1, bytes / 5000 - 12))}"}`);
  return {
    "empty records": { line: "POST /products", body: `[${many("{}", 1)}]`, status: 413 },
    "as many records as are allowed": { line: "POST /products", body: `[${records.join(",")}]`, status: 201 },
    "more values than are allowed": { line: "POST /products", body: `{"a":[${many("[]", 0.5)}]}`, status: 413 },
    "a record of numbers": { line: "POST /products", body: `{"a":[${many("1234567890123456", 1)}]}`, status: 201 },
    "a record of records": { line: "PUT /products/1", body: `{"a":[${many(record, 8)}]}`, status: 200 },
    "a record of empty arrays": { line: "PATCH /products/2", body: `{"a":[${many("[[[]]]", 3)}]}`, status: 200 },
    "a record of numbers that grow": { line: "POST /products", body: `{"a":[${many("1e20", 1)}]}`, status: 201 },
    "a record with a key for everything": { line: "POST /products", body: `{${keys}}`, status: 413 },
    "a text": { line: "POST /profile", body: `{"a":"${"x".repeat(bytes - 20)}"}`, status: 201 },
    "a text of escapes": { line: "POST /products", body: `{"a":"${"\\u0001".repeat(bytes / 6 - 5)}"}`, status: 201 },
    "a text of characters beside the first 65,536": {
      line: "POST /products",
      body: `{"a":"${"\u{1f600}".repeat(bytes / 4 - 5)}"}`,
      status: 201,
    },
    "nested as deeply as is allowed": {
      line: "POST /products",
      body: `{"a":${"[".repeat(190)}${many('{"b":1}', 2)}${"]".repeat(190)}}`,
      status: 201,
    },
    "no end of brackets": { line: "POST /products", body: "[".repeat(bytes), status: 400 },
    "no end of a text": { line: "POST /products", body: `"${"\\n".repeat(bytes / 2 - 1)}`, status: 400 },
    "spaces, and a mistake": { line: "POST /products", body: `${" ".repeat(bytes - 1)}!`, status: 400 },
    "texts with no comma between them, after spaces": {
      line: "POST /products",
      body: `{${" ".repeat(bytes / 4)}${'""'.repeat(2000)}`,
      status: 400,
    },
    "numbers, and a mistake": { line: "POST /products", body: `{"a":[${many("1", 1, ",\n")},!`, status: 400 },
    "__proto__ at the end": { line: "POST /products", body: `{"a":[${many("{}", 1)},{"__proto__":1}]}`, status: 400 },
    "a form": {
      line: "POST /products",
      body: `a=${"%41".repeat(bytes / 3 - 1)}`,
      type: "application/x-www-form-urlencoded",
      status: 413,
    },
  };
}
