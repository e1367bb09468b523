import { idKeyOf, type Overview } from "../api/overview.ts";
import { draftOfRequest, type RequestDraft } from "../request/request-draft.ts";

export interface Example {
  readonly does: string;
  readonly draft: RequestDraft;
}

/** Suggests a few first requests for the served data. */
export function examplesFor(overview: Overview): Example[] {
  const { members, fields, relations, recordRules = {} } = overview;
  const list = members.find((member) => member.kind === "collection");
  if (!list) return [];
  const path = `/${encodeURIComponent(list.name)}`;
  const idKey = idKeyOf(overview, list.name);
  const known = (fields[list.name] ?? []).filter(({ name }) => name !== idKey);
  const number = known.find(
    ({ name, types }) => types.includes("number") && !relations.some(({ field }) => field === name),
  );
  const text = known.find(({ types }) => types.includes("string"));
  const parent = relations.find((relation) => relation.from === list.name);
  const examples: Example[] = [{ does: "The first five", draft: draftOfRequest("GET", `${path}?_limit=5`) }];
  if (number) {
    const { name } = number;
    examples.push({
      does: "A range, in order",
      draft: draftOfRequest("GET", `${path}?${name}:gte=10&${name}:lt=50&_sort=-${name}`),
    });
  }
  if (text)
    examples.push({ does: "A word in a field", draft: draftOfRequest("GET", `${path}?${text.name}:contains=a`) });
  if (parent) {
    examples.push({
      does: "How many of each",
      draft: draftOfRequest("GET", `${path}?_group=${parent.field}&_aggregate=count&_sort=-count`),
    });
    examples.push({
      does: "Related records",
      draft: draftOfRequest("GET", `/${parent.to}?_embed=${list.name}&_limit=1`),
    });
  }
  const isEnough = (recordRules[list.name]?.fields ?? []).every(
    ({ name, isRequired }) => !isRequired || name === text?.name,
  );
  if (text && isEnough) {
    const body = JSON.stringify({ [text.name]: "New" });
    examples.push({ does: "A new one", draft: draftOfRequest("POST", path, [], body) });
  }
  return examples;
}
