import { useEffect, useId } from "preact/hooks";
import { API_URL } from "../api/base.ts";
import { credentialHeaders } from "../api/credentials.ts";
import { useStore } from "../api/store.ts";
import { useOverview } from "../api/use-overview.ts";
import { Button } from "../ui/button.tsx";
import { Form } from "../ui/form.tsx";
import { Select } from "../ui/select.tsx";
import { JsonBodyInput } from "./body-input.tsx";
import { CopyAs } from "./copy-as-card.tsx";
import { FieldChips } from "./field-chips.tsx";
import { type BodyField, operationsFor, useKnownRequests } from "./known-requests.ts";
import { PairsInput } from "./pairs-input.tsx";
import {
  addressOf,
  METHODS,
  missingHeaders,
  type RequestDraft,
  readyRequest,
  splitAddress,
  splitDraft,
  takesBody,
  unsendableHeaders,
} from "./request-draft.ts";
import { noteSent } from "./request-history.ts";
import { RequestShelf } from "./request-shelf.tsx";
import { editDraft, followAddress, requestDraft } from "./request-state.ts";
import type { Outcome } from "./response-body.tsx";
import { ResponseCard } from "./response-card.tsx";
import { useSending } from "./use-sending.ts";

/** Headers that mean something to the server. */
const HEADERS = [
  { name: "Prefer", values: ["tx=rollback", "handling=strict", "return=minimal", "explain", "code=503"] },
  { name: "Content-Type", values: ["application/json", "application/merge-patch+json", "application/json-patch+json"] },
  { name: "X-Standin-Sandbox", values: [] },
  { name: "Idempotency-Key", values: [] },
  { name: "If-Match", values: [] },
  { name: "If-None-Match", values: [] },
];

/** Any request to this server, sent from here or copied to somewhere else. */
export function RequestView({ query }: { query: string }) {
  const overview = useOverview();
  const draft = useStore(requestDraft);
  const note = (received: Outcome): void =>
    noteSent(requestDraft.get(), received.kind === "response" ? received.status : 0);
  const { outcome, previous, isBusy, send } = useSending(overview.members, note);
  const known = useKnownRequests();
  const operations = operationsFor(known, draft);
  const parameters = operations.flatMap((operation) => operation.parameters);
  useEffect(() => followAddress(), [query]);
  const missing = missingHeaders(draft);
  const unsendable = unsendableHeaders(draft);
  const ready = readyRequest(draft, API_URL, Object.entries(credentialHeaders()));
  return (
    <div class="page">
      <div class="cluster page-head">
        <div>
          <h1>Request</h1>
          <p class="lead">Build a request, send it, copy it.</p>
        </div>
      </div>
      <div class="request-grid">
        <Form
          class="card stack"
          aria-label="Request"
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
          }}
          onSubmit={() => {
            editDraft(splitDraft(draft));
            return send(ready);
          }}
        >
          <AddressRow draft={draft} paths={known.map(({ path }) => path)} isBusy={isBusy} onEdit={editDraft} />
          <PairsInput
            title="Parameters"
            one="parameter"
            pairs={draft.parameters}
            known={parameters.filter(({ place }) => place === "query")}
            onChange={(pairs) => editDraft({ parameters: pairs })}
          />
          <PairsInput
            title="Headers"
            one="header"
            pairs={draft.headers}
            known={[...parameters.filter(({ place }) => place === "header"), ...HEADERS]}
            onChange={(headers) => editDraft({ headers })}
          />
          {missing.length > 0 && (
            <p class="hint">The value of {missing.join(" and ")} is not kept. Enter it, or the header is not sent.</p>
          )}
          {unsendable.length > 0 && (
            <p class="hint" role="status">
              Browsers do not let a page send {unsendable.join(" and ")}. Copy the request as curl to send it.
            </p>
          )}
          {Object.keys(credentialHeaders()).length > 0 && (
            <p class="hint">{Object.keys(credentialHeaders()).join(" and ")} of this tab will be sent, too.</p>
          )}
          {takesBody(draft.method) && (
            <BodyInput draft={draft} fields={operations.flatMap((operation) => operation.fields)} />
          )}
        </Form>
        <div class="stack">
          <ResponseCard outcome={outcome} previous={previous} isBusy={isBusy} />
          <CopyAs request={ready} />
          <RequestShelf draft={draft} />
        </div>
      </div>
    </div>
  );
}

/** JSON unless a header says otherwise. */
function BodyInput({ draft, fields }: { draft: RequestDraft; fields: readonly BodyField[] }) {
  const id = useId();
  const type = draft.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "json";
  const change = (body: string): void => editDraft({ body });
  return (
    <div class="field">
      <label for={id}>Body</label>
      {type.includes("json") ? (
        <>
          <JsonBodyInput id={id} text={draft.body} fields={fields} onChange={change} />
          <FieldChips body={draft.body} fields={fields} onChange={change} />
        </>
      ) : (
        <textarea
          id={id}
          class="mono"
          rows={8}
          spellcheck={false}
          value={draft.body}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
    </div>
  );
}

interface AddressRowProps {
  readonly draft: RequestDraft;
  /** Known ones, with wildcards. */
  readonly paths: readonly string[];
  readonly isBusy: boolean;
  readonly onEdit: (changed: Partial<RequestDraft>) => void;
}

function AddressRow({ draft, paths, isBusy, onEdit }: AddressRowProps) {
  const { members } = useOverview();
  return (
    <>
      <div class="address-row">
        <Select
          aria-label="Method"
          class="mono"
          value={draft.method}
          options={METHODS}
          onChoose={(chosen) => onEdit({ method: chosen })}
        />
        <input
          aria-label="Path"
          class="mono"
          list="known-paths"
          spellcheck={false}
          autocomplete="off"
          value={draft.path}
          onInput={(event) => {
            const { value } = event.currentTarget;
            // A pasted address brings its query along. One that is typed is taken apart when it is complete.
            const isPasted = event.inputType === "insertFromPaste" && value.includes("?");
            onEdit(isPasted ? splitAddress(value) : { path: value });
          }}
          onBlur={() => draft.path.includes("?") && onEdit(splitDraft(draft))}
        />
        <datalist id="known-paths">
          {[...new Set([...members.map(({ name }) => `/${encodeURIComponent(name)}`), "/db", "/stats", ...paths])].map(
            (path) => (
              <option key={path} value={path} />
            ),
          )}
        </datalist>
        <Button look="primary" isBusy={isBusy}>
          Send
        </Button>
      </div>
      <p class="hint mono wrap">{addressOf(draft)}</p>
    </>
  );
}
