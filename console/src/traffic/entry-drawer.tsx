import { draftOfRequest, type Pair } from "../request/request-draft.ts";
import { openInBuilder } from "../request/request-state.ts";
import { HeaderTable } from "../request/response-card.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formatBytes, formatDate, formatMs } from "../ui/format.ts";
import { BodyText } from "../ui/json-text.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import type { Entry } from "./entry.ts";

/** Headers that belong to the connection or to this browser, not to the request one would want to repeat. */
const NOT_REPEATED =
  /^(host|connection|content-length|user-agent|accept-|sec-|origin$|referer$|cookie$|x-standin-console$|if-)/;

export function EntryDrawer({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const repeat = (): void => {
    // Secrets were masked when the request was noted; they cannot be repeated, so they are left out.
    const headers = Object.entries(entry.requestHeaders).filter(
      ([name, value]): boolean => !NOT_REPEATED.test(name) && !value.endsWith("..."),
    );
    openInBuilder(draftOfRequest(entry.method, entry.url, headers, entry.requestBody ?? ""));
  };
  return (
    <Dialog
      title={`${entry.method} request`}
      shape="drawer"
      onClose={onClose}
      actions={
        <button type="button" class="button small" onClick={repeat}>
          Open as request
        </button>
      }
    >
      <p class="entry-address mono">{entry.url}</p>
      <dl class="facts">
        <Fact name="Status">
          <StatusBadge status={entry.status} />
        </Fact>
        <Fact name="Time">{formatDate(entry.time)}</Fact>
        <Fact name="Took">{formatMs(entry.durationMs)}</Fact>
        <Fact name="Handled by">{entry.answeredBy}</Fact>
        {entry.rewritten !== undefined && <Fact name="Rewritten to">{entry.rewritten}</Fact>}
        <Fact name="Bytes">
          {formatBytes(entry.requestBytes)} in, {formatBytes(entry.responseBytes)} out
        </Fact>
      </dl>
      <Part title="Request" headers={Object.entries(entry.requestHeaders)} body={entry.requestBody} />
      <Part title="Response" headers={Object.entries(entry.responseHeaders)} body={entry.responseBody} />
    </Dialog>
  );
}

function Part({ title, headers, body }: { title: string; headers: readonly Pair[]; body: string | undefined }) {
  return (
    <section class="entry-part">
      <h3>{title}</h3>
      {body !== undefined && body !== "" && <BodyText text={body} label={`Body of the ${title.toLowerCase()}`} />}
      <details class="headers">
        <summary>{headers.length} headers</summary>
        <HeaderTable headers={headers} />
      </details>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
