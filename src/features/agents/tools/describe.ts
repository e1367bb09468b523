import { StandinError } from "../../../base/errors.ts";
import { type Json, type JsonObject, parseJson, stringifyJson, toJson } from "../../../base/json/json.ts";
import { didYouMean } from "../../../base/nearest.ts";
import { EXISTING, expectSuccess, SCOPE, scopeOf, type ToolCall, type ToolScope } from "../scope.ts";
import { firstLines, fitting, MAX_BYTES, objectText, type Tool } from "../tool.ts";

const HEADERS = { prefer: EXISTING };
const SAMPLES = 3;

interface Overview {
  readonly members: readonly { readonly name: string; readonly kind: string; readonly count: number }[];
  readonly fields: Readonly<Record<string, Json>>;
  readonly relations: readonly { readonly from: string; readonly to: string }[];
  readonly recordRules?: Readonly<Record<string, Json>>;
}

export const describeTool: Tool = {
  name: "describe",
  title: "Describe the API",
  description:
    "What is served: collections, fields, relations, hooks and timeline, requests that work, and the URL to point a client at. " +
    "With `collection`: its fields, relations, rules and sample records.",
  properties: { collection: { type: "string", description: "Such as products" }, ...SCOPE },
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run(call) {
    const scope = await scopeOf(call, "read");
    const { collection } = call.args as { collection?: string };
    if (collection !== undefined) return describeCollection(call, scope, collection);
    const { text } = await expectSuccess(call.send, {
      method: "GET",
      path: `${scope.prefix}/llms.txt`,
      headers: HEADERS,
    });
    const facts = Object.entries(scope.facts).map(([name, value]) => `${name}: ${value}`);
    return firstLines(
      `${facts.join("\n")}\n\n${await hooksText(call, scope)}${text}`,
      "Cut here. Call describe with a collection for the rest.",
    );
  },
};

/** The webhooks and the timeline, a line each; empty where there are none. */
async function hooksText({ send }: ToolCall, { prefix }: ToolScope): Promise<string> {
  const { status, text } = await send({ method: "GET", path: `${prefix}/__hooks`, headers: HEADERS });
  // Examples have no hooks, and who may not see them does without.
  if (status !== 200) return "";
  const { hooks, timeline } = parseJson<{ hooks: Json[]; timeline: Json[] }>(text);
  const part = (title: string, rules: readonly Json[]): string => {
    const lines = rules.map((rule) => `- ${stringifyJson(rule)}`);
    return lines.length === 0 ? "" : `## ${title}\n\n${lines.slice(0, fitting(lines, MAX_BYTES / 8)).join("\n")}\n\n`;
  };
  return part("Hooks", hooks) + part("Timeline", timeline);
}

function listed(fields: readonly Json[]): Json[] {
  return fields.slice(
    0,
    fitting(
      fields.map((field) => stringifyJson(field)),
      MAX_BYTES / 2,
    ),
  );
}

async function describeCollection({ send }: ToolCall, scope: ToolScope, name: string): Promise<string> {
  const get = async (path: string): Promise<string> =>
    (await expectSuccess(send, { method: "GET", path: scope.prefix + path, headers: HEADERS })).text;
  const overview = parseJson<Overview>(await get("/__overview"));
  const member = overview.members.find((one) => one.name === name);
  if (!member) {
    const names = overview.members.map((one) => one.name);
    const served = names.length === 0 ? "Nothing is served." : `Available: ${names.join(", ")}.`;
    throw new StandinError(
      "COLLECTION_NOT_FOUND",
      `There is no collection "${name}".${didYouMean(name, names)} ${served}`,
    );
  }
  const path = `/${encodeURIComponent(name)}`;
  const records = parseJson(await get(`${path}?_limit=${SAMPLES}`));
  const samples = [records].flat().map((record) => stringifyJson(record));
  const facts: JsonObject = {
    ...scope.facts,
    ...member,
    fields: overview.fields[name] ?? [],
    relations: toJson(overview.relations.filter(({ from, to }) => from === name || to === name)),
    ...(overview.recordRules?.[name] !== undefined && { rules: overview.recordRules[name] }),
  };
  const { rules, ...others } = facts;
  const isLong = stringifyJson(facts).length > MAX_BYTES / 2;
  const note = "Some facts are left out: read standin://types and standin://rules, or query one record.";
  const shown = isLong ? { ...others, fields: listed(facts.fields as Json[]), note } : facts;
  return objectText(shown, { samples: `[${samples.slice(0, fitting(samples, 8000)).join(",")}]` });
}
