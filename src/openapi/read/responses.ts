import { within } from "../../schema/pointer.ts";
import type { Placed, References } from "../../schema/references.ts";
import type { CodedResponse, MediaContent, ResponseHeader } from "./api-document.ts";
import { readContents, readExamples } from "./contents.ts";
import { type Document, mistake } from "./document.ts";
import { ANY_STATUS, isFinalStatus, type StatusRange } from "./status.ts";

/** As Prism chooses: the lowest success, then `default`, then the others as they come. */
export function readResponses(document: Document, references: References, responses: Placed): CodedResponse[] {
  const read = references.members(responses).flatMap(([code, response]): CodedResponse[] => {
    // Codes below 200 announce another response and are never final.
    if (code.startsWith("x-") || /^1(\d\d|XX)$/i.test(code)) return [];
    const meaning = meaningOf(code);
    if (!meaning) {
      const place = within(responses.place, code);
      throw mistake(document, place, "is no status code; codes are 200 to 599, 2XX and default.");
    }
    return [new ReadResponse(references, { code, response, ...meaning })];
  });
  const rank = ({ status, range }: CodedResponse): number => (range === ANY_STATUS ? 300 : status < 300 ? status : 600);
  return read.sort((a, b) => rank(a) - rank(b));
}

function meaningOf(code: string): { status: number; range: StatusRange | undefined } | undefined {
  if (code === "default") return { status: 200, range: ANY_STATUS };
  const digit = /^([1-5])XX$/i.exec(code)?.[1];
  const status = Number(digit === undefined ? code : `${digit}00`);
  if (!isFinalStatus(status)) return undefined;
  return { status, range: digit === undefined ? undefined : { min: status, max: status + 99 } };
}

class ReadResponse implements CodedResponse {
  readonly #references: References;
  readonly #response: Placed;
  #headers: readonly ResponseHeader[] | undefined;
  #contents: readonly MediaContent[] | undefined;
  readonly code: string;
  readonly status: number;
  readonly range: StatusRange | undefined;

  constructor(references: References, found: Pick<CodedResponse, "code" | "status" | "range"> & { response: Placed }) {
    this.#references = references;
    this.#response = found.response;
    this.code = found.code;
    this.status = found.status;
    this.range = found.range;
  }

  get place(): string {
    return this.#response.place;
  }

  get headers(): readonly ResponseHeader[] {
    this.#headers ??= this.#references
      .members(this.#member("headers"))
      .flatMap(([name, header]) => readHeader(this.#references, name, header));
    return this.#headers;
  }

  get contents(): readonly MediaContent[] {
    this.#contents ??= readContents(this.#references, this.#member("content"));
    return this.#contents;
  }

  #member(key: string): Placed {
    const found = this.#references.object(this.#response);
    return { value: found?.value[key], place: within(this.place, key) };
  }
}

function readHeader(references: References, name: string, placed: Placed): ResponseHeader[] {
  const header = references.object(placed);
  if (!header) return [];
  const { schema, required } = header.value;
  return [
    {
      name,
      isRequired: required === true,
      schema: schema === undefined ? undefined : { value: schema, place: within(header.place, "schema") },
      examples: readExamples(references, header),
    },
  ];
}
