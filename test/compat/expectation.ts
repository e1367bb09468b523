import type { JsonObject } from "../../src/base/json/json.ts";
import type { Answer } from "./answer.ts";
import { ORIGIN } from "./ask.ts";
import { addressOf, parameterOf, type Question } from "./question.ts";

/** The facts that an explanation may use. */
export interface World {
  /** The database before the question was asked. */
  readonly data: JsonObject;
  /** The response of standin, errors reduced to their code. */
  readonly ours: Answer;
  /** Whether the question may change something; then answers carry the database after it. */
  readonly isWrite: boolean;
}

/** The required response to a request, according to the later entries of the list and json-server. */
export type Next = (asked: Question) => Promise<Answer>;

/** An answer with these parts, and nothing in the others. */
export function answer({ data, isWrite }: World, parts: Partial<Answer> & { status: number }): Answer {
  return {
    type: "application/json",
    callback: undefined,
    json: undefined,
    text: undefined,
    total: undefined,
    link: undefined,
    location: undefined,
    db: isWrite ? data : undefined,
    ...parts,
  };
}

/** A refusal in standin's form, with one of the codes; it leaves the database as it was. */
export function refusal(world: World, status: number, ...codes: readonly string[]): Answer {
  const { json } = world.ours;
  const given = codes.find((code) => JSON.stringify(json) === JSON.stringify({ code }));
  return answer(world, { status, json: { code: given ?? codes.join(" or ") } });
}

/** The answer to the same question put in words that json-server understands; its links are those of the first words. */
export async function restated(asked: Question, meant: Question, next: Next): Promise<Answer> {
  const { link, ...rest } = await next(meant);
  return { ...rest, link: link === undefined ? undefined : relink(link, asked) };
}

/** The pages a Link names, in the address the client used. */
function relink(link: string, asked: Question): string {
  return link.replace(/<([^>]*)>/g, (_link, url: string) => {
    const pairs = asked.search.split("&");
    const isPage = (pair: string): boolean => parameterOf(pair)[0] === "_page";
    const target = url.slice(url.indexOf("?") + 1).split("&");
    const search = pairs.with(pairs.findIndex(isPage), target.find(isPage)!).join("&");
    return `<${ORIGIN}${addressOf({ ...asked, search })}>`;
  });
}
