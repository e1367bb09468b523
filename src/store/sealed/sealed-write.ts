import { createTest } from "../memory/filter-records.ts";
import type { SingleWrite, Transaction, Transform, Write } from "../store.ts";
import type { Seal } from "./seal.ts";

/** A write of somebody who sees sealed records: nothing in it can look at the field, and what it does not set stays. */
export function sealedWrite(write: Write, seal: Seal): Write {
  if (write.kind !== "transaction") return sealedSingle(write, seal);
  return { ...write, run: (transaction) => write.run(sealedTransaction(transaction, seal)) };
}

function sealedSingle(write: SingleWrite, seal: Seal): SingleWrite {
  if (!("collection" in write) || write.collection !== seal.collection) return write;
  switch (write.kind) {
    case "transform":
      return { ...write, transform: sealedTransform(write.transform, seal) };
    case "rewrite": {
      const before = seal.whole(write.before);
      return write.transform
        ? { ...write, before, transform: sealedTransform(write.transform, seal) }
        : { ...write, before };
    }
    case "return":
      return { ...write, record: seal.whole(write.record) };
    default:
      return write;
  }
}

/** Carries the field over by itself: an exact rewrite is completed by nobody else. */
function sealedTransform(transform: Transform, seal: Seal): Transform {
  return (current) => seal.carriedOver(current, transform(seal.without(current)));
}

function sealedTransaction(transaction: Transaction, seal: Seal): Transaction {
  return {
    *get(collection, id) {
      return seal.record(yield* transaction.get(collection, id), collection);
    },
    singleton: (name) => transaction.singleton(name),
    *matching(collection, match) {
      if (collection !== seal.collection) return yield* transaction.matching(collection, match);
      const all = yield* transaction.matching(collection, { ...match, where: [], search: "" });
      const isMatch = createTest(match.where, match.search);
      return all.map((record) => seal.record(record)).filter(isMatch);
    },
    *apply(write) {
      return seal.edits(yield* transaction.apply(sealedSingle(write, seal)));
    },
    newId: (collection, options) => transaction.newId(collection, options),
  };
}
