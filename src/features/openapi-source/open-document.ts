import { resolve } from "node:path";
import type { OpenFeature } from "../../http/contract.ts";
import type { FeatureContext } from "../feature.ts";
import type { Living } from "./living.ts";

/** More collections than this are counted, not named. */
const MAX_NAMED = 8;

/** Fills the data, and serves the operations of the document. */
export async function openDocument({
  service,
  checked: living,
  note,
}: FeatureContext<unknown, Living>): Promise<OpenFeature & { readonly offer: Living }> {
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
    stage: "document",
    offer: living,
    claim: (segments, call) => living.api.claim(segments, call),
    hasResponse: (call, status) => living.hasResponse(call, status),
    renderError: (call, error) => living.renderError(call, error),
    watched: {
      files: () => [resolve(living.file), ...living.api.document.otherFiles],
      reload: async () => {
        await living.reload();
        await living.fill(store, true);
      },
    },
    health: () => living.watch.facts,
    close: unsubscribe,
  };
}

function notesOf({ api, filled }: Living): string[] {
  const { names } = filled;
  const made = names.length > MAX_NAMED ? `${names.length} collections` : names.join(", ");
  return [...(names.length > 0 ? [`made from the document: ${made}`] : []), ...api.document.notes];
}
