import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, stringifyJson } from "../../base/json/json.ts";
import type { Parameters } from "../../query/parameters.ts";
import { parameterName, parseParameters } from "../../query/parse-query.ts";
import { isUnparsed } from "../body/body.ts";
import type { Call } from "../call.ts";
import type { DataService, Handler } from "../contract.ts";
import { shortHash } from "../response/headers.ts";

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
/** The types of bodies that QUERY accepts (RFC 10008, 3). */
export const ACCEPT_QUERY = `${JSON_TYPE}, ${FORM}`;
/** In the lists of these parameters a comma separates values. */
const LIST = /[:_]!?n?in$/;

/** `QUERY`: the route of GET, with the parameters of the body beside those of the address. */
export function byQuery<Parts extends { readonly collection: string }>(
  get: Handler<Parts, DataService>,
): Handler<Parts, DataService> {
  return async (call, service, parts) => {
    addParameters(call, await readParameters(call, service, parts.collection));
    return get(call, service, parts);
  };
}

/** Adds the parameters of the body; those of the address come first. */
function addParameters(call: Call, added: Parameters): void {
  const { method, target } = call;
  const parameters = new Map<string, readonly string[]>(call.parameters);
  for (const [name, values] of added) parameters.set(name, [...(parameters.get(name) ?? []), ...values]);
  call.bodyMark = shortHash(JSON.stringify([...added])).slice(0, 10);
  call.adopt(method, target, parameters);
}

async function readParameters(call: Call, service: DataService, collection: string): Promise<Parameters> {
  const [type = ""] = (call.headers["content-type"] ?? "").split(";", 1);
  switch (type.trim().toLowerCase()) {
    case FORM: {
      const given = call.givenBody();
      // An interceptor may have parsed it.
      if (isJsonObject(given) && !isUnparsed(given)) return fromJson(given, () => false);
      return parseParameters((await call.bodyText()).trim());
    }
    case JSON_TYPE: {
      const body = (await call.body()) ?? {};
      const names = Object.keys(body)
        .map(parameterName)
        .filter((name) => LIST.test(name));
      // A field of that name takes precedence, and its values are no lists.
      const fields = names.length > 0 ? await service.store.heldPaths(collection, names, call.account) : undefined;
      return fromJson(body, (name) => LIST.test(name) && !fields?.has(name));
    }
    default:
      if (!call.hasBody) return new Map();
      throw new StandinError(
        "BODY_TYPE_UNSUPPORTED",
        `A query is sent as ${JSON_TYPE} or ${FORM}, not as ${type === "" ? "a body without Content-Type" : type}.`,
        { "Accept-Query": ACCEPT_QUERY },
      );
  }
}

/** `isList`: whether a comma would separate the values of a parameter. In an element of an array it is part of the text. */
function fromJson(body: Json, isList: (name: string) => boolean): Parameters {
  if (!isJsonObject(body)) {
    throw new StandinError("BODY_NOT_OBJECT", 'A query is a JSON object of parameters, for example {"price:gt": 10}.');
  }
  const parameters = new Map<string, string[]>();
  for (const [key, value] of Object.entries(body)) {
    const name = parameterName(key);
    const texts = (Array.isArray(value) ? value : [value]).map((one) =>
      textOf(name, one, Array.isArray(value) && isList(name)),
    );
    parameters.set(name, [...(parameters.get(name) ?? []), ...texts]);
  }
  return parameters;
}

function textOf(name: string, value: Json, isElement: boolean): string {
  if (name === "_where") return typeof value === "string" ? value : stringifyJson(value);
  if (typeof value === "object") {
    const hint =
      value === null ? `Write "${name}:null": true for records without a value.` : 'Only "_where" takes objects.';
    throw new StandinError(
      "QUERY_INVALID",
      `${name}: a parameter is a string, a number, a boolean or a list of these. ${hint}`,
    );
  }
  return isElement ? String(value).replaceAll(",", "\\,") : String(value);
}
