/** A request that is put to Prism and to standin, both of which serve the same document. */
export interface Question {
  readonly document: "library.openapi.yaml" | "payments.openapi.json";
  /** Method and address. */
  readonly line: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The title of a request. */
export function titleOf({ document, line, headers = {}, body }: Question): string {
  const given = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const sent = body === undefined ? [] : [JSON.stringify(body)];
  return [`${document.split(".", 1)[0]}: ${line}`, ...given, ...sent].join(" | ");
}

type Short = readonly [line: string, headers?: Record<string, string>, body?: unknown];

const prefer = (value: string): Record<string, string> => ({ Prefer: value });

const LIBRARY: readonly Short[] = [
  ["GET /books"],
  ["GET /books?page=2&size=5"],
  ["GET /books?genre=poetry"],
  ["GET /books", prefer("example=none")],
  ["GET /books", prefer("example=several")],
  ["GET /books", prefer("example=unheard-of")],
  ["GET /books", prefer("code=400")],
  ["GET /books", prefer("code=200, example=none")],
  ["GET /books", prefer("code=418")],
  ["GET /books", prefer("code=503")],
  ["GET /books", { Accept: "application/json" }],
  ["GET /books", { Accept: "text/csv" }],
  ["GET /books", { Accept: "text/csv;q=0.5, application/json" }],
  ["GET /books", { Accept: "text/*" }],
  ["GET /books", { Accept: "*/*" }],
  ["GET /books", { Accept: "application/pdf" }],
  ["POST /books", {}, { title: "Paper Boats" }],
  ["POST /books", prefer("code=409"), { title: "Paper Boats" }],
  ["POST /books", prefer("code=409, example=sameIsbn"), { title: "Paper Boats" }],
  ["POST /books", prefer("example=sameIsbn"), { title: "Paper Boats" }],
  ["POST /books", prefer("code=422"), { title: "Paper Boats" }],
  ["POST /books", {}, { title: "" }],
  ["GET /books/featured"],
  ["GET /books/1"],
  ["GET /books/1", prefer("example=lentOut")],
  ["GET /books/1", prefer('example="lentOut"')],
  ["GET /books/1", prefer("code=404")],
  ["GET /books/1", prefer("code=404, example=removed")],
  ["GET /books/1", prefer("code=404, example=lentOut")],
  ["GET /books/1", prefer("code=404, example=unheard-of")],
  ["GET /books/1", prefer("code=301, example=lentOut")],
  ["GET /books", prefer("code=400, example=none")],
  ["GET /books", prefer("code=418, example=none")],
  ["GET /books", prefer("EXAMPLE=none")],
  ["GET /books", prefer("example=none; code=400")],
  ["GET /books/1", prefer("code=500")],
  ["GET /books/1", prefer("code=503")],
  ["GET /books/1", prefer("code=301")],
  ["GET /books/a%20b"],
  ["PUT /books/1", {}, { title: "The Longer Harbour" }],
  ["PUT /books/1", prefer("code=404"), { title: "The Longer Harbour" }],
  ["DELETE /books/1"],
  ["DELETE /books/1", prefer("code=404, example=unknown")],
  ["DELETE /books/1", prefer("code=409")],
  ["PATCH /books/1", {}, {}],
  ["GET /books/1/cover"],
  ["GET /books/1/copies/c-7"],
  ["GET /books/1/copies/c-7", prefer("code=404")],
  ["GET /books/1/copies"],
  ["GET /books/"],
  ["GET /Books"],
  ["GET /members"],
  ["POST /members", {}, { name: "Ada" }],
  ["POST /members", prefer("code=202"), { name: "Ada" }],
  ["GET /members/7"],
  ["GET /members/7", prefer("code=404, example=removed")],
  ["HEAD /members/7"],
  ["HEAD /books"],
  ["PATCH /members/7", {}, { name: "Bea" }],
  ["PATCH /members/7", prefer("code=204"), { name: "Bea" }],
  ["PATCH /members/7", prefer("code=422"), { name: "Bea" }],
  ["GET /members/7/loans"],
  ["GET /members/7/loans", prefer("example=none")],
  ["POST /loans/9/renewals"],
  ["POST /loans/9/renewals", prefer("code=409")],
  ["POST /loans/nine/renewals"],
  ["GET /status"],
  ["GET /status", prefer("example=closed")],
  ["GET /status", prefer("code=503")],
  ["GET /status", prefer("code=503, example=closed")],
  ["GET /motto"],
  ["GET /motto", { Accept: "text/plain" }],
  ["GET /gone"],
  ["GET /gone", prefer("code=500")],
  ["GET /nothing"],
  ["GET /books", prefer("code=abc")],
];

const PAYMENTS: readonly Short[] = [
  ["GET /v1/payments"],
  ["GET /v1/payments?limit=1&state=paid"],
  ["GET /v1/payments?limit=many"],
  ["GET /v1/payments", prefer("example=empty")],
  ["GET /v1/payments", { Accept: "application/xml" }],
  ["GET /v1/payments", { Accept: "application/xml", Prefer: "example=empty" }],
  ["GET /v1/payments", prefer("code=401")],
  ["GET /v1/payments", prefer("code=429")],
  ["POST /v1/payments", {}, { amount: 990 }],
  ["POST /v1/payments", prefer("code=402"), { amount: 990 }],
  ["POST /v1/payments", prefer("code=402, example=expired"), { amount: 990 }],
  ["POST /v1/payments", prefer("example=expired, code=402"), { amount: 990 }],
  ["POST /v1/payments", prefer("code=402, example=stolen"), { amount: 990 }],
  ["POST /v1/payments", prefer("code=422"), { amount: 990 }],
  ["POST /v1/payments", prefer("code=500"), { amount: 990 }],
  ["GET /v1/payments/pay_1"],
  ["GET /v1/payments/pay_999"],
  ["GET /v1/payments/pay_1", prefer("example=refunded")],
  ["GET /v1/payments/pay_1", prefer("code=404")],
  ["DELETE /v1/payments/pay_1"],
  ["DELETE /v1/payments/pay_1", prefer("code=409")],
  ["POST /v1/payments/pay_1/refunds"],
  ["POST /v1/payments/pay_1/refunds", prefer("code=404")],
  ["GET /v1/customers/me"],
  ["GET /v1/customers/cus_1"],
  ["GET /v1/customers/cus_1", prefer("code=404")],
  ["GET /v1/statements/2024-01.csv"],
  ["GET /v1/trees/oak"],
  ["GET /v1/rates"],
  ["POST /v1/webhooks"],
  ["POST /v1/webhooks", prefer("code=400")],
  ["GET /v1/events"],
  ["GET /v1/events", { Accept: "application/hal+json" }],
  ["GET /v1/events", { Accept: "application/json" }],
  ["GET /v1/health"],
  ["GET /v1/health", prefer("code=503")],
  ["GET /v1/payments/"],
  ["PUT /v1/payments", {}, {}],
];

export const QUESTIONS: readonly Question[] = [
  ...LIBRARY.map((short) => question("library.openapi.yaml", short)),
  ...PAYMENTS.map((short) => question("payments.openapi.json", short)),
];

function question(document: Question["document"], [line, headers = {}, body]: Short): Question {
  return { document, line, headers, ...(body === undefined ? {} : { body }) };
}
