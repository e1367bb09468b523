import type { ValidateFunction } from "ajv/dist/2020.js";
import type { Json } from "../../src/base/json/json.ts";
import { once } from "../../src/features/openapi-source/once.ts";
import type { ApiDocument, CodedResponse, Operation } from "../../src/openapi/read/api-document.ts";
import { PlainSchemas } from "./plain-schemas.ts";
import { sentContent } from "./request-for.ts";

export interface Judgement {
  readonly verdict: "valid" | "invalid" | "undeclared" | "not judged";
  /** Empty unless it is invalid. */
  readonly why: string;
  /** Whether the document gives the body as an example: what is wrong with it then is the author's word. */
  readonly isGiven: boolean;
}

export interface SentResponse {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Judges bodies by the document alone, apart from the code that makes and checks them. */
export class Judge {
  readonly #responses: PlainSchemas;
  readonly #requests: () => PlainSchemas;

  constructor(document: ApiDocument) {
    this.#responses = new PlainSchemas(document, "writeOnly");
    this.#requests = once(() => new PlainSchemas(document, "readOnly"));
  }

  /** Why the document does not allow a request body; undefined where it does, or does not tell. */
  refusalOf(operation: Operation, value: Json): string | undefined {
    const place = sentContent(operation)?.schema?.place;
    const validate = place === undefined ? undefined : this.#requests().validator(place);
    return validate && this.#requests().passes(validate, value) === false ? whyOf(validate) : undefined;
  }

  judge(operation: Operation, { status, type, text }: SentResponse): Judgement {
    const response = responseFor(operation, status);
    // An unknown record is not found whether or not the document says so, and there is no schema to meet. The same is true
    // of successes where it tells of failures alone.
    const isSuccess = status < 300 && !operation.responses.some(({ status: declared }) => declared < 400);
    if (!response && (status === 404 || isSuccess)) return { verdict: "undeclared", why: "", isGiven: false };
    // No body can follow a 204, whatever a document has for it.
    if (response && (status === 204 || status === 205)) return { verdict: "not judged", why: "", isGiven: false };
    if (!response) return { verdict: "invalid", why: `status ${status} is not in the document`, isGiven: false };
    const bare = bareType(type);
    const content = response.contents.find((one) => bareType(one.type) === bare);
    const validate =
      content?.schema && /[/+]json$/.test(bare) ? this.#responses.validator(content.schema.place) : undefined;
    if (!content || !validate) return { verdict: "not judged", why: "", isGiven: false };
    const isGiven = content.examples.length > 0;
    let value: Json;
    try {
      value = JSON.parse(text) as Json;
    } catch {
      return { verdict: "invalid", why: "the body is no JSON", isGiven };
    }
    const isValid = this.#responses.passes(validate, value);
    if (isValid === undefined) return { verdict: "not judged", why: "", isGiven };
    return isValid ? { verdict: "valid", why: "", isGiven } : { verdict: "invalid", why: whyOf(validate), isGiven };
  }
}

function whyOf({ errors }: ValidateFunction): string {
  const [error] = errors ?? [];
  return `${error?.instancePath || "/"} ${error?.message}`;
}

function responseFor({ responses }: Operation, status: number): CodedResponse | undefined {
  const inRange = ({ code, range }: CodedResponse): boolean =>
    code !== "default" && range !== undefined && status >= range.min && status <= range.max;
  return (
    responses.find(({ code }) => code === String(status)) ??
    responses.find(inRange) ??
    responses.find(({ code }) => code === "default")
  );
}

function bareType(type: string): string {
  return type.split(";", 1)[0]!.trim().toLowerCase();
}
