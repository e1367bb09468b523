import { version } from "../../base/platform/files.ts";
import type { Call } from "../../http/call.ts";
import type { RouteRow, Service } from "../../http/contract.ts";
import { stepName } from "../../http/edge.ts";
import { stagesOf } from "../../http/pipeline.ts";
import { jsonReply } from "../../http/response/reply.ts";
import { joinTexts } from "../../http/routes/join-texts.ts";
import { signedInUser } from "../../http/signed-in-user.ts";
import { describeStore } from "../../schema/description/describe-store.ts";
import type { DescribedMember } from "../../schema/description/description.ts";
import { ruledFields } from "../../schema/description/ruled-fields.ts";
import type { DataShape } from "../../schema/inference/data-shape.ts";
import { fileKindOf } from "../../schema/inference/file-shape.ts";
import type { RuleBook } from "../../schema/rules/rule-book.ts";
import type { CollectionSettings } from "../../store/collection-settings.ts";
import { accessFeature } from "../access/feature.ts";
import { documentFeature } from "../openapi-source/feature.ts";
import { rulesFeature } from "../rules/feature.ts";
import { sandboxesFeature } from "../sandboxes/feature.ts";

/** Forms of text that a form for editing has a field for. */
const SHOWN_FORMATS = new Set<string | undefined>(["date-time", "date", "email", "uri"]);

/** An overview of the server: its data, layers and rules. */
export const overviewRoute: RouteRow = {
  path: "/__overview",
  yields: true,
  isOfPast: true,
  GET: async (call, service) => {
    const { store, settings, rewriter, features, steps, startedAt, now, clocks, seed, collections } = service;
    const document = service.offer(documentFeature);
    const clock = clocks.of(call.sandbox);
    await store.history?.refresh?.();
    const { members, relations } = await describeStore(store, settings);
    const first = {
      name: "standin",
      version: version(),
      url: call.baseUrl,
      startedAt: new Date(startedAt),
      uptimeSeconds: Math.floor((now() - startedAt) / 1000),
      store: { kind: store.engine, place: store.place, durability: store.durability ?? null },
      readOnly: settings.readOnly,
      idKey: store.defaultIdKey,
      foreignKeySuffix: settings.foreignKeySuffix ?? null,
    };
    const stages = stagesOf(service).flatMap((stage) => stage.describe());
    const pipeline = { layers: steps.map(stepName), pipeline: stages, rules: rewriter.rewrites };
    const last = {
      clock: { kind: clock.kind, now: new Date(now()), rate: clock.rate },
      seed: seed ?? null,
      sandboxes: ((store.branch ?? store.sandboxes) && service.offer(sandboxesFeature)?.limits) || null,
      history: store.history ? { oldest: store.history.oldest ?? null, latest: store.history.latest } : null,
      snapshots: features.some(({ name }) => name === "snapshots"),
      documentPath: document?.basePath,
      recordRules: recordRulesOf(bookOf(service), document?.formRules),
      access: accessOf(call, service),
    };
    // With pauses: there may be thousands of members.
    const memberTexts = await joinTexts(members, ({ name, kind, count, idKey }) =>
      JSON.stringify({ name, kind, count, idKey, path: document?.pathOf(name) }),
    );
    const relationTexts = await joinTexts(relations, (relation) => JSON.stringify(relation));
    const fieldTexts = await joinTexts(
      members,
      (member) => `${JSON.stringify(member.name)}:${JSON.stringify(fieldsOf(member, collections.get(member.name)))}`,
    );
    const data = [`"relations":[${relationTexts}]`, `"fields":{${fieldTexts}}`];
    const parts = [insideOf(first), `"members":[${memberTexts}]`, insideOf(pipeline), ...data, insideOf(last)];
    return jsonReply(`{${parts.join(",")}}`);
  },
};

/** The JSON of an object without its braces. */
function insideOf(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}

/** Records that break rules are counted among those of all users. */
function bookOf(service: Service): Pick<RuleBook, "rules" | "broken"> | undefined {
  const book = service.offer(rulesFeature);
  return book && service.access ? { rules: book.rules, broken: undefined } : book;
}

/** The rules of access as they are written, and who asks; left out where there are none. */
function accessOf(call: Call, service: Service) {
  const rules = service.offer(accessFeature);
  if (!rules) return undefined;
  const user = signedInUser(call);
  return { rules, user: user ? { id: user.id, name: call.credentialName ?? user.id, roles: user.roles } : null };
}

/** Left out where there are none. */
function recordRulesOf(book: ReturnType<typeof bookOf>, ofDocument: Readonly<Record<string, object>> = {}) {
  const { rules, broken } = book ?? { rules: new Map(), broken: undefined };
  const own = [...rules].map(([name, one]) => {
    return [name, { fields: ruledFields(one), broken: broken && (broken.get(name) ?? 0) }] as const;
  });
  const all = { ...ofDocument, ...Object.fromEntries(own) };
  return Object.keys(all).length === 0 ? undefined : all;
}

function fieldsOf({ shape }: DescribedMember, { timestamps }: CollectionSettings = {}) {
  const timestampFields = Object.values(timestamps ?? {});
  return [...shape.fields].map(([name, field]) => ({
    name,
    types: typesOf(field),
    format: formatOf(field),
    values: field.choices,
    file: fileKindOf(field),
    isWhole: field.types.includes("integer") || undefined,
    isKept: timestampFields.includes(name) || undefined,
  }));
}

function formatOf(shape: DataShape): string | undefined {
  if (shape.isColour) return "color";
  return SHOWN_FORMATS.has(shape.format) ? shape.format : undefined;
}

function typesOf({ types, nulls }: DataShape): string[] {
  return [...types.map((type) => (type === "integer" ? "number" : type)), ...(nulls > 0 ? ["null"] : [])];
}
