import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../base/json/json.ts";
import { filterName } from "../../query/filter-reader.ts";
import { PARAMETERS } from "../../query/parameters.ts";
import {
  type DescribedMember,
  type DescribedRelation,
  type Description,
  relationsOf,
} from "../../schema/description/description.ts";
import { type RuledField, ruledFields } from "../../schema/description/ruled-fields.ts";
import type { DataShape } from "../../schema/inference/data-shape.ts";
import { idOf, isAddressable } from "../../store/ids.ts";
import { parentName } from "./openapi/record-schemas.ts";

/** The most collections that get examples: those of the others look alike. */
export const MAX_EXAMPLES = 5;
const MAX_MEMBERS = 50;
const MAX_FIELDS = 40;
const MAX_CHOICES = 10;
/** Longer values make no readable example. */
const MAX_VALUE = 60;
const MAX_BODY = 500;

const DOCUMENT_HINT =
  "The API is that of an OpenAPI document, which GET /__openapi.json returns: its paths, bodies and errors are as it says. " +
  "The requests below go to the same data without it; send them with the header `X-Standin-Routes: own`.";

const HISTORY_HINT =
  "- GET /__history: the changes of the data, newest first. Add `_at=<version>`, a time or `_at=-5m` to any read for the " +
  "data of that moment; POST /__history/<version>/revert takes a change back.";

export interface GuideFacts {
  readonly origin: string;
  readonly description: Description;
  readonly examples: readonly Example[];
  readonly layers: readonly string[];
  readonly hasGuard: boolean;
  readonly isReadOnly: boolean;
  /** Whether an OpenAPI document is served. */
  readonly hasDocument: boolean;
  readonly hasHistory: boolean;
}

interface Example {
  readonly member: DescribedMember;
  /** Its first record. */
  readonly record: Json | undefined;
}

/** Describes the API in the form of llms.txt: Markdown, short, each request on a line of its own. */
export function apiGuide(facts: GuideFacts): string {
  const { origin, description, examples, layers, hasGuard, isReadOnly, hasDocument, hasHistory } = facts;
  const { members } = description;
  const rest = members.length > MAX_MEMBERS ? [`- and ${members.length - MAX_MEMBERS} more`] : [];
  const parts = [
    "# REST API",
    `> JSON over HTTP at ${origin}. ${isReadOnly ? "Read-only." : "Reads and writes."} Errors are { error, message, code }; the message says what to change.`,
    ...(hasDocument ? [DOCUMENT_HINT] : []),
    ...(layers.length === 0
      ? []
      : [
          `Requests pass these layers: ${layers.join(", ")}.${hasGuard ? " 401 means that credentials are missing." : ""}`,
        ]),
    section("Data", [...members.slice(0, MAX_MEMBERS).map((member) => memberLine(member, description)), ...rest]),
    section("Reading", readingLines(examples, description)),
    ...(isReadOnly ? [] : [section("Writing", writingLines(examples))]),
    section("More", [
      "- GET /__openapi.json: the whole API as OpenAPI 3.1",
      "- GET /__overview: the server, its data and settings",
      "- GET /__types: TypeScript types of the data",
      "- Model Context Protocol (streamable HTTP) at /__mcp: tools to query, write, undo and break responses in a sandbox",
      ...(hasHistory ? [HISTORY_HINT] : []),
      "- Send `Prefer: handling=strict` to have unknown fields and parameters refused.",
    ]),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [`## ${title}`, "", ...lines].join("\n");
}

function memberLine(member: DescribedMember, { relations }: Description): string {
  const { name, kind, count, shape, rules, idKey } = member;
  const ruled = new Map((rules ? ruledFields(rules) : []).map((field) => [field.name, field]));
  const names = [...new Set([...ruled.keys(), ...shape.fields.keys()])];
  const fields = names.slice(0, MAX_FIELDS).map((field) => {
    const to = relationsOf(relations, name).find((relation) => relation.from === name && relation.field === field)?.to;
    const facts = { rule: ruled.get(field), shape: shape.fields.get(field), to, isId: field === idKey };
    return `${field} (${fieldWords(facts)})`;
  });
  if (names.length > MAX_FIELDS) fields.push(`${names.length - MAX_FIELDS} more`);
  const size = kind === "collection" ? `${count} ${count === 1 ? "record" : "records"}` : "one object";
  return `- /${encodeURIComponent(name)}: ${size}${fields.length === 0 ? "" : ` with ${fields.join(", ")}`}`;
}

interface FieldFacts {
  readonly rule: RuledField | undefined;
  readonly shape: DataShape | undefined;
  /** The collection that it refers to. */
  readonly to: string | undefined;
  readonly isId: boolean;
}

/** The words for a field: those of its rules, and those of the data where the rules are silent. */
function fieldWords({ rule, shape, to, isId }: FieldFacts): string {
  const types = (rule?.type as string[] | undefined) ?? typesOf(shape);
  const choices = (rule?.enum as Json[] | undefined) ?? shape?.choices;
  const words = [
    choices && choices.length <= MAX_CHOICES
      ? choices.map((one) => JSON.stringify(one)).join(" | ")
      : types.join(" or "),
  ];
  const format = rule?.format ?? shape?.format;
  if (format !== undefined && !choices) words.push(String(format));
  words.push(...limitsOf(rule));
  if (rule?.isRequired && !isId) words.push("required");
  if (rule?.isUnique) words.push("unique");
  if (to !== undefined) words.push(`refers to ${to}`);
  return words.filter((word) => word !== "").join(", ") || "any value";
}

function typesOf(shape: DataShape | undefined): string[] {
  if (!shape) return [];
  return shape.nulls > 0 ? [...shape.types, "null"] : shape.types;
}

const LIMITS: readonly [keyword: string, words: string][] = [
  ["minimum", "at least"],
  ["exclusiveMinimum", "more than"],
  ["maximum", "at most"],
  ["exclusiveMaximum", "less than"],
  ["multipleOf", "a multiple of"],
  ["minLength", "length at least"],
  ["maxLength", "length at most"],
  ["pattern", "pattern"],
];

function limitsOf(rule: RuledField | undefined): string[] {
  return LIMITS.flatMap(([keyword, words]) => (rule?.[keyword] === undefined ? [] : [`${words} ${rule[keyword]}`]));
}

function readingLines(examples: readonly Example[], { relations }: Description): string[] {
  return examples.flatMap(({ member, record }, position) => {
    const path = `/${encodeURIComponent(member.name)}`;
    if (!isJsonObject(record)) return [`- GET ${path}?_limit=10`];
    const lines = [`- GET ${path}?_limit=10`];
    const { idKey = "id" } = member;
    const id = idOf(record, idKey);
    if (id !== undefined) lines.push(`- GET ${path}/${encodeURIComponent(id)}`);
    const names = askable(record, idKey);
    const text = names.find((name) => isShortText(record[name]));
    if (text !== undefined) lines.push(`- GET ${path}?${text}=${encodeURIComponent(record[text] as string)}`);
    const number = names.find((name) => typeof record[name] === "number" && !isKey(name, member.name, relations));
    if (number !== undefined) {
      lines.push(`- GET ${path}?${number}:gte=${record[number]}&_sort=-${number}&_page=1&_limit=10`);
    }
    lines.push(...relationLines(member.name, path, relations));
    // Said once: it is the same for all.
    if (position === 0) lines.push(`- GET ${path}?q=word: full text. X-Total-Count has the number of all matches.`);
    return lines;
  });
}

/** Fields that a filter can name without any doubt. */
function askable(record: JsonObject, idKey: string): string[] {
  return Object.keys(record).filter(
    (name) => /^[a-z]\w*$/i.test(name) && name !== idKey && !PARAMETERS.includes(name) && !filterName(name).classic,
  );
}

function isShortText(value: Json | undefined): boolean {
  return typeof value === "string" && value !== "" && value.length <= MAX_VALUE && isAddressable(value);
}

function isKey(field: string, name: string, relations: readonly DescribedRelation[]): boolean {
  return relationsOf(relations, name).some((relation) => relation.from === name && relation.field === field);
}

/** By the first relation in each direction. */
function relationLines(name: string, path: string, relations: readonly DescribedRelation[]): string[] {
  const up = relations.find(({ from, isList }) => from === name && !isList);
  const down = relations.find(({ to, isList }) => to === name && !isList);
  const parent = up && parentName(up);
  return [
    ...(up && parent
      ? [`- GET ${path}?_expand=${encodeURIComponent(parent)}&_limit=10: with the ${up.to} they belong to`]
      : []),
    ...(down ? [`- GET ${path}?_embed=${encodeURIComponent(down.from)}&_limit=10: with their ${down.from}`] : []),
  ];
}

function writingLines(examples: readonly Example[]): string[] {
  const [first] = examples;
  const record = first?.record;
  if (!first || !isJsonObject(record)) return [];
  const { member } = first;
  const { idKey = "id" } = member;
  const path = `/${encodeURIComponent(member.name)}`;
  const id = idOf(record, idKey);
  const name = askable(record, idKey).find((field) => stringifyJson(record[field]).length <= MAX_BODY);
  const { [idKey]: _id, ...body } = record;
  const json = stringifyJson(body);
  const isRuled = examples.some((example) => example.member.rules);
  const lines: string[] = [];
  // A copy of a record breaks the rule that no two have the same value.
  const isCopyable = (member.rules?.unique ?? []).every((field) => field === idKey);
  if (json.length <= MAX_BODY && isCopyable) lines.push(`- POST ${path} ${json}`);
  if (id !== undefined && name !== undefined) {
    const item = `${path}/${encodeURIComponent(id)}`;
    lines.push(`- PATCH ${item} ${stringifyJson({ [name]: record[name] ?? null })}`);
    lines.push(`- PUT ${item}: replaces the record. DELETE ${item}: removes it.`);
  }
  if (isRuled) lines.push("- A record that breaks a rule is refused with 422; `errors` names each field and rule.");
  lines.push("- POST /__batch: several writes that happen all or not at all.");
  lines.push("- Send `Prefer: tx=rollback` to try a write without changing anything.");
  return lines;
}
