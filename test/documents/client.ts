import type { Json } from "../../src/base/json/json.ts";
import type { ApiDocument, Operation } from "../../src/openapi/read/api-document.ts";
import type { Sampler } from "../../src/openapi/sample/sampler.ts";
import { type Answer, askAt } from "../support/api.ts";
import type { Judge } from "./judge.ts";
import { requestFor } from "./request-for.ts";

export interface Asked {
  /** Values of wildcards. The others are invented. */
  readonly path?: ReadonlyMap<string, string> | undefined;
  readonly query?: Readonly<Record<string, string>>;
  /** Changes the body that was made. */
  readonly edit?: ((body: Json) => Json) | undefined;
}

/** A client of a living document: judges every body that it gets, and counts what a server must never send. */
export class Client {
  judged = 0;
  valid = 0;
  /** Responses that the document does not declare: with a 404, or with a success where it has failures alone. */
  undeclared = 0;
  serverErrors = 0;
  /** Why the last body that was refused is not one that the document allows: it was made by us, not by the server. */
  unsendable: string | undefined;
  readonly failures: string[] = [];
  readonly #url: string;
  readonly #document: ApiDocument;
  readonly #sampler: Sampler;
  readonly #judge: Judge;

  constructor(url: string, document: ApiDocument, sampler: Sampler, judge: Judge) {
    this.#url = url;
    this.#document = document;
    this.#sampler = sampler;
    this.#judge = judge;
  }

  /** Asks with the document's example of a body, and with a made one where that is refused: examples may be wrong. */
  async ask(operation: Operation, asked: Asked = {}): Promise<Answer> {
    const hasExample = operation.requestBody?.contents.some(({ examples }) => examples.length > 0) ?? false;
    const answer = await this.#askOnce(operation, asked, true);
    return hasExample && [400, 422].includes(answer.status) ? this.#askOnce(operation, asked, false) : answer;
  }

  async #askOnce(operation: Operation, { path, query, edit }: Asked, takesExamples: boolean): Promise<Answer> {
    const options = { known: path, takesExamples, edit };
    const { method, headers, body, value, ...request } = requestFor(this.#document, operation, this.#sampler, options);
    const [bare, search] = request.path.split("?") as [string, string?];
    const parameters = new URLSearchParams(search);
    for (const [name, given] of Object.entries(query ?? {})) parameters.set(name, given);
    const line = `${method} ${bare}${parameters.size > 0 ? `?${parameters}` : ""}`;
    const answer = await this.send(operation, line, { headers, ...(body === undefined ? {} : { body }) });
    if ([400, 422].includes(answer.status) && value !== undefined) {
      const why = this.#judge.refusalOf(operation, value);
      if (why !== undefined) this.unsendable = `${line.slice(0, 120)}: ${why}`;
    }
    return answer;
  }

  /** The address of a next page, with the headers that the operation requires. */
  follow(operation: Operation, address: string): Promise<Answer> {
    const { headers } = requestFor(this.#document, operation, this.#sampler);
    return this.send(operation, `GET ${address}`, { headers });
  }

  /** One request as its line says. */
  async send(operation: Operation, line: string, options: Parameters<typeof askAt>[2]): Promise<Answer> {
    const answer = await askAt(this.#url, line, options);
    const where = `${line.slice(0, 120)}: ${answer.status}`;
    if (answer.status >= 500) {
      this.serverErrors++;
      this.failures.push(`${where}: ${answer.text.slice(0, 160)}`);
    }
    const type = answer.headers.get("content-type") ?? "";
    const { verdict, why } = this.#judge.judge(operation, { status: answer.status, type, text: answer.text });
    if (verdict === "undeclared") {
      this.undeclared++;
      return answer;
    }
    // Errors that the document does not describe have our own form.
    const isOwnError = answer.status >= 400 && verdict === "invalid" && answer.headers.get("x-standin-code") === null;
    if (verdict === "not judged" || isOwnError) return answer;
    this.judged++;
    if (verdict === "valid") this.valid++;
    else this.failures.push(`${where}: ${why}`);
    return answer;
  }
}
