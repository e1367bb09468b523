import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../../base/json/json.ts";
import type { Placed, References } from "../../../schema/references.ts";
import type { Rendering } from "../../../store/stored-record.ts";
import { once } from "../once.ts";
import { elementSchema, keyword, leavesOf, type SchemaFields, schemaFields } from "../schema-fields.ts";
import { createViewValues } from "./view-values.ts";

/** Nested objects deeper than this are sent as they are. */
const MAX_DEPTH = 8;

export interface ViewOptions {
  readonly references: References;
  /** The schema that a response shows records in. */
  readonly view: Placed;
  /** The schema of the collection's records. */
  readonly record: Placed;
  /** Fields that are stored with records, and never sent. */
  readonly hidden: readonly string[];
  /** Whether it tells of a record that was removed. */
  readonly isOfRemoval?: boolean;
  /** Whether examples show nothing but the fields of the view, although its schema allows others. */
  readonly isExact?: boolean;
  /** Makes a record of the view, for required fields that the stored ones do not have. */
  sample(): Json | undefined;
}

/** Changes a value to what a schema shows of it; undefined where it shows all of it. */
type Project = (value: Json) => Json;

/** Renders records as a response shows them; undefined where that is as they are stored. */
export function createView(options: ViewOptions): Rendering | undefined {
  const show = createShow(options);
  return show && { render: (value) => stringifyJson(show(value)) };
}

/** The part of a stored record that a response shows; undefined where that is all of it. */
function createShow(options: ViewOptions): Project | undefined {
  const { references, view, record, hidden } = options;
  const isSame = references.resolve(view).place === references.resolve(record).place;
  const isClosed = schemaFields(references, view)?.isClosed ?? false;
  const project =
    isSame && !isClosed && !options.isOfRemoval ? withoutSecrets(references, view, 0) : projectTo(options);
  if (!project && hidden.length === 0) return undefined;
  return (value) => {
    const shown = project ? project(value) : value;
    return hidden.length > 0 && isJsonObject(shown) ? without(shown, hidden) : shown;
  };
}

function without(value: JsonObject, names: readonly string[]): JsonObject {
  const rest = { ...value };
  for (const name of names) delete rest[name];
  return rest;
}

/** Leaves out what is only ever written, such as passwords. */
function withoutSecrets(references: References, schema: Placed, depth: number): Project | undefined {
  const fields = schemaFields(references, schema);
  if (depth > MAX_DEPTH) return undefined;
  if (!fields) {
    const element = elementSchema(references, schema);
    const inner = element && withoutSecrets(references, element, depth + 1);
    return inner && ((value) => (Array.isArray(value) ? value.map(inner) : value));
  }
  const secrets: string[] = [];
  const inner = new Map<string, Project>();
  for (const [name, property] of fields.properties) {
    if (keyword(references, property, "writeOnly") === true) secrets.push(name);
    else {
      const project = withoutSecrets(references, property, depth + 1);
      if (project) inner.set(name, project);
    }
  }
  if (secrets.length === 0 && inner.size === 0) return undefined;
  return (value) => {
    if (!isJsonObject(value)) return value;
    const shown = without(value, secrets);
    for (const [name, project] of inner) if (Object.hasOwn(shown, name)) shown[name] = project(shown[name]!);
    return shown;
  };
}

/** Of several alternatives, that which a record is by its fixed values, such as `object`: "card". */
function projectToOne(options: ViewOptions): Project | undefined {
  const { references, view } = options;
  const leaves = leavesOf(references, view);
  if (leaves.length < 2) return undefined;
  const forms = leaves.map((leaf) => ({
    fixed: fixedValues(references, leaf),
    project: once(() => projectTo({ ...options, view: leaf })),
  }));
  return (value) => {
    if (!isJsonObject(value)) return value;
    const [form, other] = forms.filter(
      ({ fixed }) => fixed.size > 0 && [...fixed].every(([name, only]) => value[name] === only),
    );
    const project = other ? undefined : form?.project();
    return project ? project(value) : value;
  };
}

function fixedValues(references: References, schema: Placed): ReadonlyMap<string, Json> {
  const values = new Map<string, Json>();
  for (const [name, property] of schemaFields(references, schema)?.properties ?? []) {
    const [only, ...others] = [
      keyword(references, property, "const") ?? keyword(references, property, "enum") ?? [],
    ].flat();
    if (only !== undefined && others.length === 0) values.set(name, only);
  }
  return values;
}

/** Keeps the fields that the view has, and adds those that it requires. */
function projectTo(options: ViewOptions): Project | undefined {
  const { references, view, record, sample, isOfRemoval, isExact } = options;
  const fields = schemaFields(references, view);
  const secrets = withoutSecrets(references, view, 0);
  if (!fields) return secrets ?? projectToOne(options);
  const makeFit = createViewValues(references, { view: fields, record: schemaFields(references, record) });
  let made: Json | undefined;
  const missing = (name: string): Json | undefined => {
    made ??= sample() ?? {};
    return isJsonObject(made) ? made[name] : undefined;
  };
  return (value) => {
    if (!isJsonObject(value)) return value;
    const shown = secrets ? secrets(value) : value;
    const all = completed(
      fields,
      fields.isOpen && !isExact ? { ...(shown as JsonObject) } : known(fields, shown as JsonObject),
      missing,
    );
    makeFit?.(all, missing);
    return isOfRemoval ? { ...all, ...signsOfRemoval(references, fields, all) } : all;
  };
}

/** `deleted: true`, and `object` and `status` as a removed record has them. */
function signsOfRemoval(references: References, { properties }: SchemaFields, shown: JsonObject): JsonObject {
  const signs: JsonObject = {};
  for (const [name, schema] of properties) {
    const values = keyword(references, schema, "enum") ?? [keyword(references, schema, "const") ?? []].flat();
    const allowed = Array.isArray(values) ? values : [];
    const [usual] = allowed;
    const held = Object.hasOwn(shown, name) ? shown[name] : undefined;
    const isFlag = keyword(references, schema, "type") === "boolean" && !allowed.includes(false);
    if (isFlag && /^(is_?)?(deleted|removed|success|ok)$/i.test(name)) signs[name] = true;
    const gone = allowed.find((one) => /^(deleted|cancell?ed|removed)$/i.test(String(one)));
    if (/^(status|state)$/i.test(name) && gone !== undefined) signs[name] = gone;
    else if (held !== undefined && usual !== undefined && !allowed.includes(held)) signs[name] = usual;
  }
  return signs;
}

function known({ properties, required }: SchemaFields, value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => properties.has(name) || required.has(name)));
}

function completed(
  { required }: SchemaFields,
  value: JsonObject,
  missing: (name: string) => Json | undefined,
): JsonObject {
  for (const name of required) {
    if (Object.hasOwn(value, name)) continue;
    const made = missing(name);
    if (made !== undefined) value[name] = made;
  }
  return value;
}
