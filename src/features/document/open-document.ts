import { resolve } from "node:path";
import type { OpenFeature } from "../../http/service.ts";
import type { FeatureContext } from "../feature.ts";
import type { Living } from "./living.ts";

/** Fills the data, and serves the operations of the document. */
export async function openDocument({ service, checked, note }: FeatureContext<unknown>): Promise<OpenFeature> {
  const living = checked as Living;
  const { store, reporter } = service;
  living.reporter = reporter;
  await living.fill(store);
  // A reset or restore may bring data back that never had these collections.
  const unsubscribe = store.subscribe((event) => {
    if (event.kind !== "exchange") return;
    void living.fill(store, true).catch((thrown: unknown) => reporter.fault("Collections could not be added.", thrown));
  });
  for (const text of notesOf(living)) note(text);
  return {
    name: "document",
    claim: (segments, exchange) => living.api.claim(segments, exchange),
    watched: {
      files: () => [resolve(living.file)],
      reload: async () => {
        await living.reload();
        await living.fill(store, true);
      },
    },
    health: () => living.watch.facts,
    close: unsubscribe,
  };
}

function notesOf({ api, file, filled }: Living): string[] {
  const { collections, unbound } = api.bindings;
  const bound = collections.reduce((sum, { operations }) => sum + operations.length, 0);
  const notes = [
    `${file}: ${bound} operations read and write ${collections.length} collections, ${unbound.length} respond from examples`,
  ];
  if (filled.names.length > 0) notes.push(`filled from the document: ${filled.names.join(", ")}`);
  return [...notes, ...api.document.notes];
}
