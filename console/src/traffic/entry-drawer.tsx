import { useState } from "preact/hooks";
import { SERVER_URL } from "../api/base.ts";
import { credentialHeaders } from "../api/credentials.ts";
import type { Pair } from "../api/parameters.ts";
import { openFaultDraft } from "../lab/fault-draft.ts";
import { copyAs, LANGUAGES } from "../request/copy-as.ts";
import { draftOfRequest, readyRequest } from "../request/request-draft.ts";
import { openInBuilder } from "../request/request-state.ts";
import type { Outcome } from "../request/response-body.tsx";
import { HeaderTable } from "../request/response-card.tsx";
import { sendRequest } from "../request/send-request.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formatBytes, formatDate, formatMs, plural } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { BodyText } from "../ui/json-text.tsx";
import { clientOf, codeOf, type Entry, formatFault, type OmittedBody } from "./entry.ts";
import { faultFromEntry } from "./fault-from-entry.ts";
import { MadeChange } from "./made-change.tsx";
import { RepeatedPart } from "./repeated-part.tsx";
import { bodyNote, sentAgain } from "./sent-again.ts";
import { SentStatus } from "./sent-status.tsx";

/** Everything that is known of a request, and what can be made of it. */
export function EntryDrawer({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const [outcome, setOutcome] = useState<Outcome>();
  const [isBusy, setBusy] = useState(false);
  const { headers, body, maskedHeaders, ...again } = sentAgain(entry);
  const own = Object.keys(credentialHeaders()).map((name) => name.toLowerCase());
  const missing = maskedHeaders.filter((name) => !own.includes(name));
  const lack = again.lack ?? (missing.length > 0 ? `The log masks ${missing.join(" and ")}.` : undefined);
  const empty = missing.map((name): Pair => [name, ""]);
  const draft = { ...draftOfRequest(entry.method, entry.url, [...headers, ...empty], body ?? ""), unknown: missing };
  const ready = readyRequest(draft, SERVER_URL, Object.entries(credentialHeaders()));
  const repeat = async (): Promise<void> => {
    setBusy(true);
    // The address to the letter: a draft writes parameters in its own way.
    setOutcome(await sendRequest({ ...ready, url: `${SERVER_URL}${entry.url}` }));
    setBusy(false);
  };
  return (
    <Dialog title={`${entry.method} request`} shape="drawer" onClose={onClose}>
      <p class="entry-address mono">{entry.url}</p>
      <div class="entry-actions">
        <button
          type="button"
          class="button small primary"
          disabled={lack !== undefined}
          aria-disabled={isBusy || undefined}
          aria-describedby={lack === undefined ? undefined : "lack"}
          onClick={() => void (isBusy || repeat())}
        >
          <Icon name="repeat" />
          Repeat
        </button>
        <Button look="small" onClick={() => openInBuilder(draft)}>
          Open as request
        </Button>
        <Button look="small" onClick={() => openFaultDraft(faultFromEntry(entry))}>
          Make a fault
        </Button>
        <CopyButton
          text={copyAs(LANGUAGES[0] ?? "curl", { ...ready, url: `${SERVER_URL}${entry.url}` })}
          label="Copy as curl"
        />
      </div>
      {lack !== undefined && (
        <p class="hint" id="lack">
          It cannot be repeated as it was. {lack} Open it as a request to fill in the rest.
        </p>
      )}
      {entry.requestHeaders.cookie !== undefined && (
        <p class="hint">Its cookies are not sent again: the browser sends its own.</p>
      )}
      {outcome && <RepeatedPart outcome={outcome} entry={entry} />}
      <Facts entry={entry} />
      {entry.version !== undefined && <MadeChange version={entry.version} sandbox={entry.sandbox} />}
      <Part
        title="Request"
        headers={entry.requestHeaders}
        body={entry.requestBody}
        omitted={entry.requestBodyOmitted}
      />
      <Part
        title="Response"
        headers={entry.responseHeaders}
        body={entry.responseBody}
        omitted={entry.responseBodyOmitted}
      />
    </Dialog>
  );
}

function Facts({ entry }: { entry: Entry }) {
  const { status, sandbox, faults, refusal, rewritten } = entry;
  const [code, client] = [codeOf(entry), clientOf(entry)];
  return (
    <dl class="facts">
      <Fact name="Status">
        <SentStatus status={status} />
      </Fact>
      <Fact name="Time">{formatDate(entry.time)}</Fact>
      <Fact name="Took">{formatMs(entry.durationMs)}</Fact>
      {code !== undefined && <Fact name="Error code">{code}</Fact>}
      {client !== "" && <Fact name="Client">{entry.requestHeaders["user-agent"] ?? client}</Fact>}
      <Fact name="Handled by">{entry.answeredBy}</Fact>
      <Fact name="Sandbox">{sandbox ?? "None (main data)"}</Fact>
      {faults && <Fact name={faults.length === 1 ? "Fault" : "Faults"}>{faults.map(namedFault).join(", ")}</Fact>}
      {refusal !== undefined && <Fact name="Refused">{refusal}</Fact>}
      {rewritten !== undefined && <Fact name="Rewritten to">{rewritten}</Fact>}
      <Fact name="Bytes">
        {formatBytes(entry.requestBytes)} in, {formatBytes(entry.responseBytes)} out
      </Fact>
    </dl>
  );
}

function namedFault(fault: NonNullable<Entry["faults"]>[number]): string {
  return `${formatFault(fault)} (${fault.id === undefined ? "requested by Prefer" : `rule ${fault.id}`})`;
}

interface PartProps {
  readonly title: "Request" | "Response";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly omitted: OmittedBody | undefined;
}

function Part({ title, headers, body, omitted }: PartProps) {
  const pairs: readonly Pair[] = Object.entries(headers);
  const of = title === "Request" ? "request" : "response";
  return (
    <section class="entry-part">
      <h3>{title}</h3>
      {body !== undefined && body !== "" && <BodyText text={body} label={`Body of the ${of}`} />}
      {omitted !== undefined && <p class="hint">{bodyNote(of, omitted)}</p>}
      {omitted === undefined && (body === undefined || body === "") && <p class="hint">No body.</p>}
      {pairs.length > 0 && (
        <details class="headers">
          <summary>{plural(pairs.length, "header")}</summary>
          <HeaderTable headers={pairs} />
        </details>
      )}
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
