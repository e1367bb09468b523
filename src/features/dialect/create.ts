import { StandinError } from "../../base/errors.ts";
import { randomBytes } from "../../base/platform/crypto.ts";
import type { Call } from "../../http/call.ts";
import type { PathParts, Service } from "../../http/contract.ts";
import type { Reply } from "../../http/response/reply.ts";
import { createFrom } from "../../http/routes/collection.ts";
import { seededId } from "../../store/ids.ts";

/** `POST /posts`: the record gets a random id, whatever id the body has. */
export async function createWithNewId(call: Call, service: Service, { collection = "" }: PathParts): Promise<Reply> {
  const { store } = service;
  const idKey = store.idKeyOf(collection);
  const body = await call.body();
  if (Array.isArray(body)) {
    throw new StandinError(
      "BODY_NOT_OBJECT",
      "The body must be a JSON object. json-server 1.0 creates one record at a time.",
    );
  }
  return await createFrom(body, call, service, {
    collection,
    given: { [idKey]: await newId(service, collection) },
  });
}

/** A short random text, as 1.0 makes it; with a seed, the first unused one of a fixed series. */
async function newId({ store, seed }: Service, collection: string): Promise<string> {
  if (seed === undefined) return randomBytes(8).toString("base64url");
  const count = store.members().find(({ name }) => name === collection)?.count ?? 0;
  for (let attempt = count; ; attempt++) {
    const id = seededId(seed, `${collection}/${attempt}`);
    if (!(await store.get(collection, id))) return id;
  }
}
