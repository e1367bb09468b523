import { draftOfRequest } from "../request/request-draft.ts";
import { openInBuilder } from "../request/request-state.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { windowPath } from "./list-query.ts";
import { WINDOW_SIZE } from "./record-windows.ts";

/** The request behind the list, as it is built. */
export function QueryLine({ collection, query }: { collection: string; query: string }) {
  const path = windowPath(collection, query, 0, WINDOW_SIZE);
  return (
    <div class="query-line">
      <ScrollRegion look="query-text" label="The request behind this list">
        <code>
          <span class="method">GET</span> {path}
        </code>
      </ScrollRegion>
      <CopyButton text={`${location.origin}${path}`} />
      <button type="button" class="button small" onClick={() => openInBuilder(draftOfRequest("GET", path))}>
        Open as request
      </button>
    </div>
  );
}
