import { idKeyOf, type Member, type Overview } from "../api/overview.ts";
import { draftOfRequest, type RequestDraft } from "../request/request-draft.ts";

export interface Example {
  readonly does: string;
  readonly draft: RequestDraft;
}

/** Suggests a few first requests for the served data. */
export function examplesFor(overview: Overview): Example[] {
  const { members, fields, relations, readOnly, recordRules = {} } = overview;
  const list = members.find((member) => member.kind === "collection");
  if (!list) return members.slice(0, 1).flatMap((member) => objectExamples(member, overview));
  const path = `/${encodeURIComponent(list.name)}`;
  const idKey = idKeyOf(overview, list.name);
  const known = (fields[list.name] ?? []).filter(({ name }) => name !== idKey);
  const number = known.find(
    ({ name, types }) => types.includes("number") && !relations.some(({ field }) => field === name),
  );
  const text = known.find(({ name, types }) => name !== "" && types.includes("string"));
  const parent = relations.find((relation) => relation.from === list.name);
  const examples: Example[] = [{ does: "The first five", draft: draftOfRequest("GET", `${path}?_limit=5`) }];
  if (list.path && !list.path.includes("{")) {
    examples.unshift({ does: "As the document has it", draft: draftOfRequest("GET", list.path) });
  }
  if (number) {
    const name = encodeURIComponent(number.name);
    examples.push({
      does: "A range, in order",
      draft: draftOfRequest("GET", `${path}?${name}:gte=10&${name}:lt=50&_sort=-${name}`),
    });
  }
  if (text) {
    examples.push({
      does: "A word in a field",
      draft: draftOfRequest("GET", `${path}?${encodeURIComponent(text.name)}:contains=a`),
    });
  }
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
  if (text && isEnough && !readOnly) {
    const body = JSON.stringify({ [text.name]: "New" });
    examples.push({ does: "A new one", draft: draftOfRequest("POST", path, [], body) });
  }
  return examples;
}

/** An object is read, and changed in part. */
function objectExamples({ name }: Member, { fields, readOnly }: Overview): Example[] {
  const path = `/${encodeURIComponent(name)}`;
  const text = fields[name]?.find(({ types }) => types.includes("string"));
  return [
    { does: "The whole object", draft: draftOfRequest("GET", path) },
    ...(text && !readOnly
      ? [{ does: "One field of it", draft: draftOfRequest("PATCH", path, [], JSON.stringify({ [text.name]: "New" })) }]
      : []),
  ];
}
