import { StandinError } from "../../base/errors.ts";
import type { Call } from "../../http/call.ts";
import type { Service } from "../../http/contract.ts";
import { memberName, segmentsOf } from "../../http/router.ts";
import { nameList } from "../../query/parse-query.ts";

const LOGIN = "login";

/** The part of the data that a request is about. */
export interface Destination {
  readonly segments: readonly string[];
  /** The collections and singletons, as far as there are any of these names. */
  readonly members: readonly string[];
}

/** Finds the data behind an address. Throws for one that does not lead to data, or to a list. */
export function destinationOf(call: Call, service: Service): Destination {
  const { store } = service;
  const segments = segmentsOf(call.target.path);
  const [first, , child] = segments;
  if (first === undefined || isReserved(first, service)) {
    throw new StandinError("BATCH_INVALID", `${call.client.path} cannot be in a batch: only routes of the data can.`);
  }
  if (service.features.some(({ findRoute }) => findRoute?.(segments, call.method))) {
    throw new StandinError("BATCH_UNAVAILABLE", `${call.client.path} is a plugin's route, and cannot be in a batch.`);
  }
  const name = memberName(store, first);
  const isList =
    child !== undefined || (segments.length === 1 && name !== undefined && store.kindOf(name) !== "singleton");
  if (call.isRead && isList) {
    throw new StandinError(
      "BATCH_INVALID",
      `GET ${call.client.path} lists records; a batch can only read single ones. Send it by itself.`,
    );
  }
  const named = [first, ...(child === undefined ? [] : [child])].flatMap((one) => memberName(store, one) ?? []);
  const dependents = call.hasParameters ? nameList(call.parameters, "_dependent") : [];
  return { segments, members: [...named, ...dependents.filter((one) => store.kindOf(one) !== undefined)] };
}

function isReserved(first: string, { reservedNames }: Service): boolean {
  return first.startsWith("__") || first.toLowerCase() === LOGIN || reservedNames.includes(first);
}
