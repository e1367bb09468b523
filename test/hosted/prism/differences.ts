/** Deliberate differences from Prism, by the title of the request. */
export interface Difference {
  readonly because: string;
  readonly status: number;
  /** The code of our error, or a part of our body; undefined where the body is empty. */
  readonly body: Readonly<Record<string, unknown>> | readonly unknown[] | undefined;
}

const VALIDATES = "Prism checks requests against the document; standin answers its example whatever was sent";
const GENERATES = "there is no example: Prism writes placeholders, standin values that the seed decides";
const MISS = "the contract of hosted mode: whatever no example answers is 404, with the nearest ones";
const LENIENT = "Postman's order of matching: a trailing slash and the case of letters are tolerated";

export const DIFFERENCES: Readonly<Record<string, Difference>> = {
  "library: GET /books | Accept: application/pdf": {
    because: "service.md, point 2: the answer is sent whatever Accept asks for; Prism says 406",
    status: 200,
    body: [{ id: 1 }, { id: 2 }, { id: 3 }],
  },
  'library: POST /books | {"title":""}': { because: VALIDATES, status: 201, body: { id: 4 } },
  "library: PATCH /books/1 | {}": { because: MISS, status: 404, body: { code: "EXAMPLE_NOT_FOUND" } },
  "library: GET /books/": { because: LENIENT, status: 200, body: [{ id: 1 }, { id: 2 }, { id: 3 }] },
  "library: GET /Books": { because: LENIENT, status: 200, body: [{ id: 1 }, { id: 2 }, { id: 3 }] },
  "library: GET /books/1 | Prefer: code=404, example=unheard-of": {
    because: "an example that nothing has is a miss; Prism fails with 500",
    status: 404,
    body: { code: "EXAMPLE_NOT_FOUND" },
  },
  "library: GET /members": { because: GENERATES, status: 200, body: [{ address: {} }, { address: {} }] },
  "library: GET /members/7": { because: GENERATES, status: 200, body: { address: {} } },
  "library: HEAD /books": {
    because: "HEAD is GET without the body, as everywhere in standin",
    status: 200,
    body: undefined,
  },
  "library: POST /loans/nine/renewals": { because: VALIDATES, status: 303, body: undefined },
  "library: GET /books | Prefer: code=abc": {
    because: "a header that cannot be read is 400 here, 422 in Prism",
    status: 400,
    body: { code: "MATCH_HEADER_INVALID" },
  },
  "payments: GET /v1/payments?limit=many": { because: VALIDATES, status: 200, body: { next: "cursor-2" } },
  "payments: GET /v1/customers/cus_1": { because: GENERATES, status: 200, body: { plan: "basic" } },
  "payments: GET /v1/trees/oak": { because: GENERATES, status: 200, body: {} },
  "payments: GET /v1/payments/": { because: LENIENT, status: 200, body: { next: "cursor-2" } },
  "payments: PUT /v1/payments | {}": { because: MISS, status: 404, body: { code: "EXAMPLE_NOT_FOUND" } },
};
