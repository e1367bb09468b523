import { resolve } from "node:path";
import type { OpenFeature } from "../../http/contract.ts";
import { isAddress } from "../../openapi/read/files/read-text.ts";
import type { FeatureContext } from "../feature.ts";
import type { ServedDocument } from "./served-document.ts";

/** More collections than this are counted, not named. */
const MAX_NAMED = 8;

/** Fills the data, and serves the operations of the document. */
export async function openDocument({
  service,
  checked: served,
  note,
}: FeatureContext<unknown, ServedDocument>): Promise<OpenFeature & { readonly offer: ServedDocument }> {
  const { store, reporter } = service;
  served.reporter = reporter;
  await served.fill(store);
  // A reset or restore may bring data back that never had these collections.
  const unsubscribe = store.subscribe((event) => {
    if (event.kind !== "exchange") return;
    void served.fill(store).catch((thrown: unknown) => reporter.fault("Collections could not be added.", thrown));
  });
  for (const text of notesOf(served)) note(text);
  return {
    name: "document",
    stage: "document",
    offer: served,
    claim: served.claim,
    hasResponse: served.hasResponse,
    renderError: served.renderError,
    watched: {
      files: () => [...(isAddress(served.file) ? [] : [resolve(served.file)]), ...served.api.document.otherFiles],
      reload: async () => {
        await served.reload();
        await served.fill(store);
      },
    },
    health: () => served.watch.facts,
    close: unsubscribe,
  };
}

function notesOf({ api, filled }: ServedDocument): string[] {
  const { names } = filled;
  const made = names.length > MAX_NAMED ? `${names.length} collections` : names.join(", ");
  return [...(names.length > 0 ? [`made from the document: ${made}`] : []), ...api.document.notes];
}
