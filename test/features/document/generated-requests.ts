import { Agent } from "node:http";
import { isJsonObject, type Json, type JsonObject } from "../../../src/base/json/json.ts";
import { createRandom } from "../../../src/base/random.ts";
import { createSampling } from "../../../src/features/openapi-source/seeds/sampling.ts";
import { createSchemaBook } from "../../../src/openapi/check/schema-book.ts";
import type { ApiDocument, Operation, Parameter } from "../../../src/openapi/read/api-document.ts";
import { createResponseCheck } from "../../api-document/response-check.ts";
import { type Answer, askAt } from "../../support/api.ts";

/** Values that no schema means, and that break most. */
const ODD: readonly Json[] = [null, true, -1, 1e300, "", "x", "../..", "%", [], [[]], {}, { a: { b: null } }];

export interface Findings {
  /** Requests by the status of their responses. */
  readonly statuses: Map<number, number>;
  /** Responses that break the document. */
  readonly problems: string[];
}

/**
 * Sends requests to the operations of a document: most of them as it describes them, others broken in one place. Every
 * response must be valid against the document, or be an error of standin's own that the document does not describe.
 */
export async function sendGenerated(
  document: ApiDocument,
  url: string,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<Findings> {
  const random = createRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const { sample } = createSampling(document, seed);
  const check = createResponseCheck(document, createSchemaBook(document));
  const agent = new Agent({ keepAlive: true });
  const findings: Findings = { statuses: new Map(), problems: [] };
  const ids: string[] = ["1", "2", "3", "12", "99", "none"];
  let purpose = 0;

  const valueFor = ({ schema }: Parameter): string => {
    const made = random() < 0.8 && schema ? sample(schema, `value ${purpose++}`) : pick(ODD);
    return typeof made === "object" ? JSON.stringify(made) : String(made);
  };
  const bodyOf = ({ requestBody }: Operation): Json | undefined => {
    const schema = requestBody?.contents[0]?.schema;
    if (!schema || random() < 0.03) return undefined;
    const made = sample(schema, `body ${purpose++}`);
    return random() < 0.7 || made === undefined ? made : broken(made);
  };
  const broken = (value: Json): Json => {
    if (!isJsonObject(value) || Object.keys(value).length === 0 || random() < 0.1) return pick(ODD);
    const key = pick(Object.keys(value));
    const inner = value[key]!;
    const others = { ...value } as JsonObject;
    if (random() < 0.4) delete others[key];
    else others[key] = isJsonObject(inner) ? broken(inner) : pick(ODD);
    return others;
  };

  for (let sent = 0; sent < count; sent++) {
    const operation = pick(document.operations);
    const { method, path, parameters } = operation;
    const base = pick(["", ...document.basePaths]);
    const address = path.text.replace(/\{[^{}]+\}/g, () =>
      encodeURIComponent(random() < 0.9 ? pick(ids) : String(below(40))),
    );
    const query = parameters
      .filter((one) => one.in === "query" && (one.isRequired || random() < 0.3))
      .map((one) => `${encodeURIComponent(one.name)}=${encodeURIComponent(valueFor(one))}`);
    const line = `${method} ${base}${address}${query.length > 0 ? `?${query.join("&")}` : ""}`;
    const body = bodyOf(operation);
    const answer = await askAt(url, line, { agent, ...(body !== undefined && { body: JSON.stringify(body) }) });
    findings.statuses.set(answer.status, (findings.statuses.get(answer.status) ?? 0) + 1);
    const problem = problemOf(check, operation, answer);
    if (problem !== undefined) findings.problems.push(`${line} ${JSON.stringify(body)}: ${answer.status} ${problem}`);
    remember(answer.body as Json | undefined, ids);
  }
  agent.destroy();
  return findings;
}

function problemOf(
  check: ReturnType<typeof createResponseCheck>,
  operation: Operation,
  { status, headers, text, body }: Answer,
): string | undefined {
  if (status >= 500) return text;
  const isOwn =
    headers.get("X-Standin-Code") === null &&
    isJsonObject(body as Json) &&
    typeof (body as JsonObject).code === "string";
  if (status >= 400 && isOwn) return undefined;
  const contentType = headers.get("Content-Type") ?? undefined;
  const found = check(operation, { status, contentType, body: text === "" ? undefined : (body as Json) });
  // An error that is not declared has the shape of one that is.
  const problems = status >= 400 ? found.filter(({ rule }) => rule !== "status") : found;
  return problems.length === 0 ? undefined : `${JSON.stringify(problems.slice(0, 3))} in ${text.slice(0, 300)}`;
}

/** Keeps ids that responses name, for later requests. */
function remember(body: Json | undefined, ids: string[]): void {
  if (Array.isArray(body)) for (const one of body.slice(0, 3)) remember(one, ids);
  else if (isJsonObject(body)) {
    for (const [key, value] of Object.entries(body)) {
      if (/^(id|isbn|uuid)$/i.test(key) && typeof value !== "object") ids.push(String(value));
      else if (typeof value === "object") remember(value, ids);
    }
  }
  if (ids.length > 60) ids.splice(0, ids.length - 60);
}
