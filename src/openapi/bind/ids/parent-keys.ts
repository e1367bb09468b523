import { isJsonObject, type Json } from "../../../base/json/json.ts";
import type { ParentKey } from "../binding.ts";
import { type PathStep, pathKey } from "../path-shape.ts";
import { attributesOf } from "../query/resource-attributes.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { findAlike, plainName, singularOf, wordsIn } from "../words.ts";
import { metadataOf } from "./field-keys.ts";
import { findIdKey, isIdLike } from "./id-key.ts";

/** Wildcards that choose a form of the API and not the parent of records. */
const FORMS = ["version", "apiversion", "format", "outputformat", "locale", "lang", "language", "ext"];
/** Names that say nothing about whose they are. */
const GENERIC = [
  "id",
  "uuid",
  "guid",
  "uid",
  "key",
  "name",
  "slug",
  "code",
  "number",
  "identifier",
  "sid",
  "gid",
  "pid",
];

/** Words for the ids of others. */
const IDS = ["uuid", "guid", "gid", "sid"];

/** A wildcard in front of a collection. */
export interface Ancestor {
  readonly parameter: string;
  /** The fixed segment before it, if there is one. */
  readonly segment: string | undefined;
  /** The path up to it. */
  readonly steps: readonly PathStep[];
  /** Whether nothing but wildcards follows in the path of a list: `/times/{user}/{year}` of `/times`. */
  readonly isEnd: boolean;
}

/** The wildcards of a path that name parents; `idParameter` is the record's own. */
export function ancestorsOf(steps: readonly PathStep[], hasId: boolean): readonly Ancestor[] {
  const last = hasId ? steps.length - 1 : steps.length;
  return steps.slice(0, last).flatMap((step, position): Ancestor[] => {
    if (step.kind === "fixed") return [];
    const before = steps[position - 1];
    const segment = before?.kind === "fixed" ? before.text : undefined;
    // `/releases/{version}` is a release, `/api/{version}` a form of the API.
    const isOne = segment !== undefined && singularOf(segment) !== segment;
    // `/specs/{owner}/{spec}/{version}` is a version of the spec.
    const isBelow = before?.kind === "wildcard" && !FORMS.includes(plainName(before.name));
    if (!isOne && !isBelow && FORMS.includes(plainName(step.name))) return [];
    const isEnd = !hasId && steps.slice(position).every(({ kind }) => kind === "wildcard");
    return [{ parameter: step.name, segment, steps: steps.slice(0, position + 1), isEnd }];
  });
}

/**
 * The field for each of the wildcards of a collection's paths, by the path up to it: `/fees/{id}` and `/fees/{fee}` are
 * the same parent.
 */
export class ParentFields {
  readonly #shapes: Shapes;
  readonly #record: SchemaShape;
  readonly #idKey: string;
  readonly #isSent: IsSent;
  readonly #known = new Map<string, ParentField>();

  constructor(shapes: Shapes, { record, idKey, isSent }: ParentRecord & { readonly isSent: IsSent }) {
    this.#shapes = shapes;
    this.#record = record;
    this.#idKey = idKey;
    this.#isSent = isSent;
  }

  /** Lets a wildcard that names a field win over another one for the same parent that does not. */
  prepare(ancestors: readonly Ancestor[]): void {
    for (const ancestor of ancestors) {
      const field = parentField(this.#shapes, { record: this.#record, idKey: this.#idKey }, ancestor);
      const key = pathKey(ancestor.steps);
      if (field.isInRecord && !this.#known.has(key)) this.#known.set(key, field);
    }
  }

  /** `told` is the field that a recording names. */
  of(ancestor: Ancestor, told: string | undefined): ParentField {
    const key = pathKey(ancestor.steps);
    const known = told === undefined ? this.#known.get(key) : undefined;
    if (known) return known;
    const field =
      told === undefined
        ? parentField(this.#shapes, { record: this.#record, idKey: this.#idKey, isSent: this.#isSent }, ancestor)
        : { field: told, holder: undefined, isInRecord: this.#record.properties.has(told) };
    this.#known.set(key, field);
    return field;
  }
}

interface ParentRecord {
  readonly record: SchemaShape;
  readonly idKey: string;
  /** Undefined where the name of a field that records do not have does not matter. */
  readonly isSent?: IsSent;
}

/** Whether requests at paths with a wildcard have a field of their own that is called so. */
export type IsSent = (field: string, parameter: string) => boolean;

type ParentField = Pick<ParentKey, "field" | "holder" | "isInRecord">;

/**
 * The field of a record that has the value of a wildcard: one of the record's schema by name (`company_id`,
 * `companyId`, `company`), else a field of its own that the schema does not know.
 */
export function parentField(
  shapes: Shapes,
  { record, idKey, isSent = () => false }: ParentRecord,
  { parameter, segment, steps, isEnd }: Ancestor,
): ParentField {
  const noun = segment === undefined ? "" : singularOf(segment);
  const isGeneric = GENERIC.includes(plainName(parameter)) || plainName(parameter) === plainName(idKey);
  const isUuid = /^[gu]uid$/.test(wordsIn(parameter).at(-1) ?? "");
  const fits = (key: string): boolean =>
    key !== idKey &&
    shapes.isComparable(record, key) &&
    !isFixed(record.properties.get(key)?.value) &&
    !(isUuid && isNumber(shapes.property(record, key)));
  const names = [
    ...(isGeneric ? [] : [parameter]),
    ...(noun === "" ? [] : [`${noun}_${parameter}`, ...(isEnd ? [] : [`${noun}_id`, noun])]),
  ];
  // `{productId}` of records with a `product_uuid`
  const [owner, ending] = [wordsIn(parameter).slice(0, -1), wordsIn(parameter).at(-1)];
  if (ending === "id" && owner.length > 0) names.push(...IDS.map((id) => [...owner, id].join("_")));
  for (const name of names) {
    // The `type` of a rule, one of a few words, is not that of `/types/{id}/rules`.
    const isMeant = (key: string): boolean => fits(key) && (name === parameter || !isListed(shapes, record, key));
    const found = findAlike(record.properties.keys(), name, isMeant);
    if (found !== undefined) return { field: found, holder: undefined, isInRecord: true };
  }
  const part = fieldOfPart(shapes, record, { parameter, noun });
  if (part) return part;
  const attribute = isGeneric ? undefined : attributeNamed(shapes, record, { parameter, steps });
  if (attribute !== undefined) return { field: attribute, holder: "attributes", isInRecord: true };
  const metadata = metadataOf(shapes, record);
  const told = metadata && findAlike(metadata.shape.properties.keys(), parameter);
  if (!isGeneric && metadata && told !== undefined) return { field: told, holder: metadata.name, isInRecord: true };
  const isFieldSent = (key: string): boolean => isSent(key, parameter);
  const field = freeField(record, isFieldSent, { name: isGeneric ? noun : parameter, parameter });
  return { field, holder: undefined, isInRecord: false };
}

/** `project.guid` for `/projects/{projectGuid}/tasks`, whose records have a `project`. */
function fieldOfPart(
  shapes: Shapes,
  record: SchemaShape,
  { parameter, noun }: { readonly parameter: string; readonly noun: string },
): ParentField | undefined {
  const all = wordsIn(parameter);
  const words = all.includes("or") ? [...all.slice(0, all.indexOf("or") - 1), "id"] : all;
  const own = words.at(-1) ?? "";
  const name = words.slice(0, -1).join("") || noun;
  const holder = GENERIC.includes(own) ? findAlike(record.properties.keys(), name) : undefined;
  const part = holder === undefined ? undefined : shapes.property(record, holder);
  if (holder === undefined || part?.kind !== "object") return undefined;
  const said = findAlike(part.properties.keys(), own, (key) => shapes.isComparable(part, key));
  const field = said ?? (isIdLike(words) ? findIdKey(shapes, [part], { parameter: own, segment: name }) : undefined);
  const isKey = field !== undefined && (!isIdLike(words) || isIdLike(wordsIn(field)));
  return isKey ? { field, holder, isInRecord: true } : undefined;
}

/** JSON:API's `attributes.webhook_message_id` for `/webhooks/{id}/messages/{messageId}`. */
function attributeNamed(
  shapes: Shapes,
  record: SchemaShape,
  { parameter, steps }: Pick<Ancestor, "parameter" | "steps">,
): string | undefined {
  const attributes = attributesOf(shapes, record);
  if (!attributes) return undefined;
  const fits = (key: string): boolean => shapes.isComparable(attributes, key);
  const above = steps.flatMap((step) => (step.kind === "fixed" ? [singularOf(step.text)] : []));
  const names = [parameter, ...above.map((noun) => `${noun}_${parameter}`)];
  return names.flatMap((name) => findAlike(attributes.properties.keys(), name, fits) ?? [])[0];
}

/** A number has no UUID: the parent has another id besides. */
function isNumber(shape: SchemaShape | undefined): boolean {
  const types = [...(shape?.types ?? [])].filter((type) => type !== "null");
  return types.length > 0 && types.every((type) => type === "integer" || type === "number");
}

/** A field with one allowed value, such as `type`, does not tell parents apart. */
function isFixed(schema: Json | undefined): boolean {
  return isJsonObject(schema) && Array.isArray(schema.enum) && schema.enum.length === 1;
}

function isListed(shapes: Shapes, record: SchemaShape, key: string): boolean {
  const { value } = shapes.property(record, key)?.schema ?? {};
  return isJsonObject(value) && Array.isArray(value.enum);
}

function freeField(
  record: SchemaShape,
  isSent: (key: string) => boolean,
  { name, parameter }: { readonly name: string; readonly parameter: string },
): string {
  const keys = [...record.properties.keys()];
  const ending = keys.some((key) => /[a-z]_[a-z]/.test(key)) ? "_id" : "Id";
  const wanted = GENERIC.includes(plainName(parameter)) && name !== "" ? `${name}${ending}` : name || parameter;
  // An `owner_id` that requests send is that of the path, and an `owner` may be that of something else.
  const isTaken = (key: string): boolean =>
    record.properties.has(key) || (!(key === wanted && isIdLike(wordsIn(key))) && isSent(key));
  let free = wanted;
  while (isTaken(free)) free = free.endsWith(ending) ? `${free}_` : `${free}${ending}`;
  return free;
}
