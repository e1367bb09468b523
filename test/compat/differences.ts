import type { JsonObject } from "../../src/base/json/json.ts";
import type { Answer } from "./answer.ts";
import { bodiesOf, bodyOf, bodyRefusal, typeOf } from "./body.ts";
import {
  collectionOf,
  createdIds,
  isInherited,
  isNumberOrBlank,
  isRegular,
  isSameText,
  isUsableId,
  keeps,
  keyFor,
  keyTo,
  kindOf,
  listOf,
  newId,
  relate,
  SUFFIX,
  splitFilter,
  valueAt,
  valuesAt,
  withoutBrackets,
} from "./contract.ts";
import { answer, type Next, refusal, restated, type World } from "./expectation.ts";
import { builtInContent, createdPlainly, listed, randomIdIn, related, relationsOf, sorted } from "./explanations.ts";
import {
  isList,
  isWritten,
  methodsOf,
  nameAt,
  placeOf,
  plainPath,
  recordsAt,
  recordWith,
  segmentsOf,
} from "./place.ts";
import {
  filtersOf,
  firstOf,
  isPageFirst,
  type Parameter,
  parametersOf,
  type Question,
  valuesOf,
  WINDOW,
  withJson,
  withoutParameters,
  withParameters,
} from "./question.ts";

/**
 * Every way in which standin answers other than json-server 0.17.4 on purpose. An entry recognises the questions it is
 * about by the question and the data, not by the answers, and says exactly what standin must answer: mostly by putting
 * the question in words that json-server understands (`restated`) and asking `next`, which is the rest of this list and
 * in the end json-server itself. So an entry cannot hide a mistake, and several can meet in one question. The order
 * counts: an entry sees what the ones before it have made of the question.
 */
export interface Difference {
  readonly name: string;
  /** The line that orders it; where none does, why 0.17 is not to be followed. */
  readonly because: string;
  /** The required response of standin; undefined if this entry does not apply to the request. */
  explain(asked: Question, world: World, next: Next): Answer | Promise<Answer> | undefined;
}

/** A filter that nothing meets, in words that json-server understands. */
const NOTHING: Parameter = ["nobody-has-this_gte", "0"];
/** Beyond the end of every list. */
const FAR = "1000000000";
/** 0.17 takes more values than this for an object. */
const MAX_REPEATED = 20;

export const DIFFERENCES: readonly Difference[] = [
  // Paths and methods.
  {
    name: "_delay wants a number",
    because: "contract: Status codes, text where _delay wants a number (0.17 passes over it)",
    explain: (asked, world) =>
      isNumberOrBlank(firstOf(asked, "_delay")) ? undefined : refusal(world, 400, "QUERY_INVALID"),
  },
  {
    name: "a broken escape in a path is refused",
    because: "contract: Status codes, broken percent-escape in a path (0.17: 500 or 404)",
    explain: (asked, world) =>
      placeOf(asked, world.data).kind === "malformed" ? refusal(world, 400, "PATH_MALFORMED") : undefined,
  },
  {
    name: "a doubled slash leads nowhere",
    because: "contract: Paths, one trailing slash is tolerated; Layers, no path around a guard (0.17 skips one slash)",
    explain: (asked, world) =>
      asked.path.includes("//")
        ? refusal(world, 404, "ROUTE_NOT_FOUND", "COLLECTION_NOT_FOUND", "RECORD_NOT_FOUND")
        : undefined,
  },
  {
    name: "names are percent-decoded, and match in any case",
    because: "contract: Paths (0.17 decodes no names, and a nested route under /Companies looks for Company_id)",
    explain: (asked, world, next) => {
      const place = placeOf(asked, world.data);
      const path = plainPath(place);
      if (path === undefined || path === asked.path.replace(/\/$/, "")) return undefined;
      return restated(asked, { ...asked, path }, next);
    },
  },
  {
    name: "a name that must be escaped is served",
    because: "contract: Paths, names and ids are percent-decoded (0.17 cannot reach it, however it is written)",
    explain: (asked, world) => {
      const place = placeOf(asked, world.data);
      if (!("name" in place) || /^[\w-]+$/.test(place.name)) return undefined;
      if (asked.method !== "GET" || asked.search !== "") return undefined;
      const record = place.kind === "record" ? recordWith(recordsAt(place, world.data), place.id) : undefined;
      const json = place.kind === "collection" ? world.data[place.name] : record;
      return json === undefined ? undefined : answer(world, { status: 200, json });
    },
  },
  {
    name: "built-in routes",
    because: "contract: Other routes, /__rules, /stats, /health-check (0.17 has none of them; its / is a page)",
    explain: (asked, world) => {
      const place = placeOf(asked, world.data);
      if (place.kind !== "built-in" || asked.method !== "GET") return undefined;
      return answer(world, { status: 200, json: builtInContent(place.name, world) });
    },
  },
  {
    name: "PATCH and DELETE of a collection need a filter",
    because: "beyond: Writes, by filter (0.17: 404)",
    explain: (asked, world) => {
      if (asked.method !== "PATCH" && asked.method !== "DELETE") return undefined;
      if (placeOf(asked, world.data).kind !== "collection") return undefined;
      return refusal(world, 400, "FILTER_REQUIRED");
    },
  },
  {
    name: "a method that a path does not offer is refused as such",
    because: "contract: Status codes, method not offered on a path (0.17: 404)",
    explain: (asked, world) => {
      const place = placeOf(asked, world.data);
      if (place.kind === "nowhere" || methodsOf(place).includes(asked.method)) return undefined;
      return refusal(world, 405, "METHOD_NOT_ALLOWED");
    },
  },
  {
    name: "only a collection has children, and only a collection is a child",
    because: "contract: Lists, nested routes, an unknown parent collection is 404 (0.17 lists everything)",
    explain: (asked, world) =>
      placeOf(asked, world.data).kind === "nowhere" && segmentsOf(asked.path)?.length === 3
        ? refusal(world, 404, "COLLECTION_NOT_FOUND", "ROUTE_NOT_FOUND")
        : undefined,
  },

  {
    name: "a path that leads nowhere is not found, whatever the body",
    because: "contract: The order in which a request is handled, the body is read only before the route (0.17: first)",
    explain: (asked, world) =>
      placeOf(asked, world.data).kind === "nowhere" && asked.body && bodyRefusal({ ...asked, method: "PUT" }, true)
        ? refusal(world, 404, "COLLECTION_NOT_FOUND", "ROUTE_NOT_FOUND")
        : undefined,
  },

  // Query strings.
  {
    name: "_page, _limit, _start and _end want numbers",
    because: "contract: Status codes, text where they want a number (0.17 takes it for 1, 10 or nothing)",
    explain: (asked, world) => {
      if (!isList(asked, world.data) || WINDOW.every((name) => isNumberOrBlank(firstOf(asked, name)))) return undefined;
      return refusal(world, 400, "QUERY_INVALID");
    },
  },
  {
    name: "a broken _like pattern is refused, and so are look-around and back-references",
    because: "contract: Lists, _like on a linear-time engine; Status codes, broken _like pattern (0.17: 500)",
    explain: (asked, world) => {
      if (!isList(asked, world.data)) return undefined;
      const patterns = filtersOf(asked).filter(([name]) => splitFilter(name).operator === "like");
      if (patterns.every(([, pattern]) => isRegular(pattern))) return undefined;
      return refusal(world, 400, "QUERY_INVALID");
    },
  },
  {
    name: "brackets are a path",
    because: "0.17 makes an object of headquarter[lat]=1 and compares its text, so nothing is ever found",
    explain: (asked, world, next) => {
      if (!isList(asked, world.data)) return undefined;
      const dotted = parametersOf(asked).map(([name, value]): Parameter => [withoutBrackets(name), value]);
      if (JSON.stringify(dotted) === JSON.stringify(parametersOf(asked))) return undefined;
      return restated(asked, withParameters(asked, dotted), next);
    },
  },
  {
    name: "_embed and _expand take lists",
    because: "contract: Lists, _embed and _expand are repeatable or comma-separated (0.17 only the former)",
    explain: (asked, _world, next) => {
      const single = parametersOf(asked).flatMap(([name, value]): Parameter[] =>
        name === "_embed" || name === "_expand"
          ? value.split(",").flatMap((part): Parameter[] => (part === "" ? [] : [[name, part]]))
          : [[name, value]],
      );
      if (JSON.stringify(single) === JSON.stringify(parametersOf(asked))) return undefined;
      return restated(asked, withParameters(asked, single), next);
    },
  },
  {
    name: "a repeated _sort or _order is one list",
    because: "0.17 answers 500 to _sort=a&_sort=b",
    explain: (asked, world, next) => {
      const [sort, order] = ["_sort", "_order"].map((name) => valuesOf(asked, name));
      if (!isList(asked, world.data) || !sort || !order || (sort.length < 2 && order.length < 2)) return undefined;
      const joined = [
        ["_sort", sort.join(",")],
        ["_order", order.join(",")],
      ] as const;
      const rest = withoutParameters(asked, "_sort", "_order");
      return restated(asked, withParameters(asked, [...parametersOf(rest), ...joined]), next);
    },
  },
  {
    name: "_start alone skips records",
    because: "contract: Lists, _start alone (0.17 ignores it)",
    explain: (asked, world, next) => {
      const given = (name: string): boolean => firstOf(asked, name).trim() !== "";
      if (!isList(asked, world.data) || !given("_start") || given("_end") || given("_limit") || given("_page")) {
        return undefined;
      }
      const rest = withoutParameters(asked, "_end", "_limit", "_page");
      return restated(asked, withParameters(asked, [...parametersOf(rest), ["_end", FAR]]), next);
    },
  },
  {
    name: "Link names the page, however the number was written and whatever stands before it",
    because: "contract: Lists, Link; an empty value counts as absent (0.17 replaces the first text `page=<number>`)",
    explain: (asked, world, next) => {
      if (!isList(asked, world.data)) return undefined;
      const numbers = WINDOW.flatMap((name): Parameter[] => {
        const number = Number.parseInt(firstOf(asked, name), 10);
        if (Number.isNaN(number)) return [];
        return [[name, String(name === "_page" ? Math.max(1, number) : number)]];
      });
      const plain = withParameters(asked, [...numbers, ...parametersOf(withoutParameters(asked, ...WINDOW))]);
      const isPlain = WINDOW.every((name) => valuesOf(asked, name).join() === valuesOf(plain, name).join());
      return isPlain && isPageFirst(asked) ? undefined : restated(asked, plain, next);
    },
  },

  // Relations. An entry that asks json-server without them puts both back, since embeds come before expands.
  {
    name: "_embed compares ids as text",
    because: 'contract: Lists, _embed, ids are compared as text (0.17: 1 is not "1")',
    explain: (asked, world, next) => {
      const records = recordsAt(placeOf(asked, world.data), world.data);
      const key = keyTo(nameAt(asked, world.data) ?? "");
      const isTextual = (child: string): boolean =>
        listOf(world.data, child).some((one) => records.some(({ id }) => isSameText(one[key], id) && one[key] !== id));
      return valuesOf(asked, "_embed").some(isTextual) ? related(asked, world, next) : undefined;
    },
  },
  {
    name: "_expand passes over a key that is missing or null",
    because: "contract: Lists, _expand, a dangling key adds nothing and never fails (0.17: 500 for the whole list)",
    explain: (asked, world, next) => {
      const records = recordsAt(placeOf(asked, world.data), world.data);
      const hasGap = (parent: string): boolean =>
        Object.hasOwn(world.data, collectionOf(parent)) &&
        records.some((record) => record[parent + SUFFIX] === undefined || record[parent + SUFFIX] === null);
      return valuesOf(asked, "_expand").some(hasGap) ? related(asked, world, next) : undefined;
    },
  },

  // Lists.
  {
    name: "children that have no key to their parent are nobody's",
    because: "0.17 passes over the key like over any unknown parameter, and lists every record as a child",
    explain: (asked, world, next) => {
      const place = placeOf(asked, world.data);
      if (place.kind !== "nested" || asked.method !== "GET") return undefined;
      const key = keyTo(place.parent);
      if (recordsAt(place, world.data).some((record) => Object.hasOwn(record, key))) return undefined;
      return restated(asked, withParameters(asked, [...parametersOf(asked), NOTHING]), next);
    },
  },
  {
    name: "unlike values have an order",
    because: "contract: Lists, _sort, order of unlike values (0.17 has none)",
    explain: (asked, world, next) => {
      const paths = listed(asked, "_sort");
      const records = recordsAt(placeOf(asked, world.data), world.data);
      const isMixed = (path: string): boolean => {
        const kinds = new Set(records.map((record) => kindOf(valueAt(record, path))));
        kinds.delete("null");
        kinds.delete("undefined");
        return kinds.size > 1;
      };
      return isList(asked, world.data) && paths.some(isMixed) ? sorted(asked, paths, next) : undefined;
    },
  },
  {
    name: "a path goes through arrays",
    because: "contract: Lists, paths through arrays, and so the operators (0.17 finds everything, or nothing)",
    explain: (asked, world, next) => {
      const records = recordsAt(placeOf(asked, world.data), world.data);
      const names = [...new Set(filtersOf(asked).map(([name]) => name))].filter((name) =>
        records.some((record) => valuesAt(record, splitFilter(name).path).isThroughArray),
      );
      if (!isList(asked, world.data) || names.length === 0) return undefined;
      const judged = valuesOf(asked, "id_like").length > 0 ? [...names, "id_like"] : names;
      const kept = records.filter((record) => judged.every((name) => keeps(record, name, valuesOf(asked, name))));
      const byId: Parameter = ["id_like", `^(?:${kept.map(({ id }) => escapePattern(String(id))).join("|")})$`];
      const rest = parametersOf(withoutParameters(asked, ...judged));
      return restated(asked, withParameters(asked, [...rest, kept.length > 0 ? byId : NOTHING]), next);
    },
  },
  {
    name: "a parameter may be repeated more than twenty times",
    because: "contract: Lists, repeated parameter = any of them (0.17: more than twenty find nothing)",
    explain: (asked, world, next) => {
      const many = filtersOf(asked).find(([name]) => valuesOf(asked, name).length > MAX_REPEATED)?.[0];
      if (!isList(asked, world.data) || many === undefined || splitFilter(many).operator !== "eq") return undefined;
      const pattern = `^(?:${valuesOf(asked, many).map(escapePattern).join("|")})$`;
      const rest = parametersOf(withoutParameters(asked, many));
      return restated(asked, withParameters(asked, [...rest, [`${many}_like`, pattern]]), next);
    },
  },
  {
    name: "what every JavaScript object has is nobody's field",
    because:
      "contract: Lists, an operator on a field that no record has matches nothing (0.17 finds constructor_like=O)",
    explain: (asked, world, next) => {
      const records = recordsAt(placeOf(asked, world.data), world.data);
      const finds = ([name]: Parameter): boolean => {
        const { path, operator } = splitFilter(name);
        return operator !== "eq" && records.some((record) => isInherited(record, path));
      };
      if (!isList(asked, world.data) || !filtersOf(asked).some(finds)) return undefined;
      return restated(asked, withParameters(asked, [...parametersOf(asked), NOTHING]), next);
    },
  },

  // Bodies and writes.
  {
    name: "what cannot be a record is refused in standin's form",
    because: "contract: Status codes, the rows on bodies; Records and ids, __proto__; a number beyond 1.8e308 is none",
    explain: (asked, world) => {
      if (!isWritten(asked, world.data) || !asked.body) return undefined;
      const { kind } = placeOf(asked, world.data);
      const isCreate = asked.method === "POST" && (kind === "collection" || kind === "nested");
      const refused = bodyRefusal(asked, isCreate);
      return refused && refusal(world, refused.status, refused.code);
    },
  },
  {
    name: "every +json type is JSON, and so is a body without a type",
    because:
      "contract: Status codes, any +json type is JSON (0.17 drops the body); without a type nothing else is meant",
    explain: (asked, world, next) => {
      const body = bodyOf(asked);
      if (!isWritten(asked, world.data) || body === undefined || !/^$|\+json$/.test(typeOf(asked))) return undefined;
      return next(withJson(asked, body));
    },
  },
  {
    name: "a nested POST gives the key the type of the parent's ids",
    because: "contract: Lists, nested routes, POST creates with company_id in the type of the parent's ids",
    explain: (asked, world, next) => {
      const place = placeOf(asked, world.data);
      if (place.kind !== "nested" || asked.method !== "POST") return undefined;
      const given = { [keyTo(place.parent)]: keyFor(listOf(world.data, place.parent), place.id) };
      const body = bodyOf(asked) ?? {};
      const child = Array.isArray(body)
        ? body.map((one) => ({ ...(one as JsonObject), ...given }))
        : { ...(body as JsonObject), ...given };
      return next(withJson({ ...asked, path: `/${place.name}` }, child));
    },
  },
  {
    name: "an id is a text or a finite number",
    because: "contract: Records and ids, anything else in a body is 400 ID_INVALID; so are ids above 2^53-1",
    explain: (asked, world) => {
      const place = placeOf(asked, world.data);
      const isKnown = place.kind === "record" && recordWith(recordsAt(place, world.data), place.id) !== undefined;
      const isUpdate = isKnown && (asked.method === "PUT" || asked.method === "PATCH");
      const isCreate = place.kind === "collection" && asked.method === "POST";
      if (!isUpdate && !isCreate) return undefined;
      return bodiesOf(asked).every(({ id }) => isUsableId(id)) ? undefined : refusal(world, 400, "ID_INVALID");
    },
  },
  {
    name: "an id that is taken is a conflict",
    because: "contract: Status codes, POST with an id that is taken (0.17: 500)",
    explain: (asked, world) => {
      const place = placeOf(asked, world.data);
      if (place.kind !== "collection" || asked.method !== "POST") return undefined;
      const ids = bodiesOf(asked).flatMap(({ id }) => (id ? [String(id)] : []));
      const isTaken = ids.some((id) => recordWith(recordsAt(place, world.data), id)) || new Set(ids).size < ids.length;
      return isTaken ? refusal(world, 409, "ID_TAKEN") : undefined;
    },
  },
  {
    name: "an array creates several records",
    because: "contract: Status codes, array in POST (0.17 stores the array as a record)",
    explain: (asked, world) => {
      const place = placeOf(asked, world.data);
      const body = bodyOf(asked);
      if (place.kind !== "collection" || asked.method !== "POST" || !Array.isArray(body)) return undefined;
      const before = listOf(world.data, place.name);
      const ids = createdIds(before, bodiesOf(asked)).map((id, position) => id ?? randomIdIn(world, position));
      const created = bodiesOf(asked).map((one, position) => ({ ...one, id: ids[position]! }));
      const db = { ...world.data, [place.name]: [...before, ...created] };
      return answer(world, { status: 201, json: created, db });
    },
  },
  {
    name: "a new id is the largest integer id + 1, or a random text where ids are text",
    because: "contract: Records and ids (0.17 takes the largest by JavaScript's >, counts 2.5 on to 3.5, and -1 to 0)",
    explain: (asked, world, next) => {
      const place = placeOf(asked, world.data);
      const [body = {}] = bodiesOf(asked);
      if (place.kind !== "collection" || asked.method !== "POST" || body.id) return undefined;
      const records = recordsAt(place, world.data);
      if (records.every(({ id }) => Number.isInteger(id) && Number(id) >= 0)) return undefined;
      const id = newId(records) ?? randomIdIn(world, 0);
      return next(withJson(asked, { ...body, id }));
    },
  },
  {
    name: "Location is the plain address of the record",
    because: "contract: Lists, Location (0.17 appends the id to whatever was asked, query included, unescaped)",
    explain: (asked, world, next) => {
      const place = placeOf(asked, world.data);
      if (asked.method !== "POST") return undefined;
      if (place.kind === "singleton" && asked.search !== "") return next({ ...asked, search: "" });
      return place.kind === "collection" ? createdPlainly(asked, place.name, next) : undefined;
    },
  },
  {
    name: "DELETE removes the one record and nothing else",
    because:
      "contract: Status codes, DELETE (0.17 sweeps every record with a dangling key, or answers 500 at a null one)",
    explain: (asked, world) => {
      const place = placeOf(asked, world.data);
      if (place.kind !== "record" || asked.method !== "DELETE") return undefined;
      const record = recordWith(recordsAt(place, world.data), place.id);
      if (!record) return refusal(world, 404, "RECORD_NOT_FOUND");
      const rest = listOf(world.data, place.name).filter((one) => one !== record);
      return answer(world, { status: 200, json: {}, db: { ...world.data, [place.name]: rest } });
    },
  },
  {
    name: "PUT replaces a record that has a length",
    because:
      "contract: Status codes, PUT, fields left out are gone (0.17 takes such a record for an array and keeps them)",
    explain: (asked, world) => {
      const place = placeOf(asked, world.data);
      const record = place.kind === "record" ? recordWith(recordsAt(place, world.data), place.id) : undefined;
      if (asked.method !== "PUT" || place.kind !== "record" || typeof record?.length !== "number") return undefined;
      const after = { ...bodiesOf(asked)[0], id: record.id! };
      const list = listOf(world.data, place.name).map((one) => (one === record ? after : one));
      return answer(world, { status: 200, json: after, db: { ...world.data, [place.name]: list } });
    },
  },

  // The others.
  {
    name: "a record without an id is in nobody's way",
    because:
      "contract: Records and ids, listed but not addressable (0.17: 500 for every lookup that passes an id null)",
    explain: (asked, world) => {
      const place = placeOf(asked, world.data);
      const records = recordsAt(place, world.data);
      if (place.kind !== "record" || asked.method !== "GET" || !records.some(({ id }) => id === null)) return undefined;
      const record = recordWith(records, place.id);
      if (!record) return refusal(world, 404, "RECORD_NOT_FOUND");
      return answer(world, { status: 200, json: relate(record, place.name, relationsOf(asked), world.data) });
    },
  },
  {
    name: "a 404 says what was not found",
    because: "contract: Status codes, unknown id, collection or path (0.17 answers {})",
    explain: async (asked, world, next) => {
      const theirs = await next(asked);
      if (theirs.status !== 404 || JSON.stringify(theirs.json) !== "{}") return theirs;
      return placeOf(asked, world.data).kind === "record"
        ? refusal(world, 404, "RECORD_NOT_FOUND")
        : refusal(world, 404, "COLLECTION_NOT_FOUND", "ROUTE_NOT_FOUND");
    },
  },
];

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
