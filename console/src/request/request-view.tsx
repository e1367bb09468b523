import { useEffect } from "preact/hooks";
import { API_URL } from "../api/base.ts";
import { credentialHeaders } from "../api/credentials.ts";
import { useStore } from "../api/store.ts";
import { useOverview } from "../api/use-overview.ts";
import { Button } from "../ui/button.tsx";
import { Form } from "../ui/form.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { Select } from "../ui/select.tsx";
import { CopyAs } from "./copy-as-card.tsx";
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
} from "./request-draft.ts";
import { editDraft, followAddress, requestDraft } from "./request-state.ts";
import { ResponseCard } from "./response-card.tsx";
import { useSending } from "./use-sending.ts";

/** Any request to this server, sent from here or copied to somewhere else. */
export function RequestView({ query }: { query: string }) {
  const overview = useOverview();
  const draft = useStore(requestDraft);
  const { outcome, isBusy, send } = useSending(overview.members);
  useEffect(() => followAddress(), [query]);
  const missing = missingHeaders(draft);
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
          <AddressRow draft={draft} isBusy={isBusy} onEdit={editDraft} />
          <PairsInput
            title="Parameters"
            one="parameter"
            pairs={draft.parameters}
            onChange={(parameters) => editDraft({ parameters })}
          />
          <PairsInput
            title="Headers"
            one="header"
            pairs={draft.headers}
            onChange={(headers) => editDraft({ headers })}
          />
          {missing.length > 0 && (
            <p class="hint">
              The log masks {missing.join(" and ")}. Enter the value; without one, the header is not sent.
            </p>
          )}
          {Object.keys(credentialHeaders()).length > 0 && (
            <p class="hint">{Object.keys(credentialHeaders()).join(" and ")} of this tab will be sent, too.</p>
          )}
          {takesBody(draft.method) && (
            <Labelled label="Body">
              <textarea
                class="mono"
                rows={8}
                spellcheck={false}
                placeholder='{ "name": "…" }'
                value={draft.body}
                onInput={(event) => editDraft({ body: event.currentTarget.value })}
              />
            </Labelled>
          )}
        </Form>
        <div class="stack">
          <ResponseCard outcome={outcome} isBusy={isBusy} />
          <CopyAs request={ready} />
        </div>
      </div>
    </div>
  );
}

interface AddressRowProps {
  readonly draft: RequestDraft;
  readonly isBusy: boolean;
  readonly onEdit: (changed: Partial<RequestDraft>) => void;
}

function AddressRow({ draft, isBusy, onEdit }: AddressRowProps) {
  const overview = useOverview();
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
          {[...overview.members.map(({ name }) => `/${encodeURIComponent(name)}`), "/db", "/stats"].map((path) => (
            <option key={path} value={path} />
          ))}
        </datalist>
        <Button look="primary" isDisabled={isBusy}>
          Send
        </Button>
      </div>
      <p class="hint mono wrap">{addressOf(draft)}</p>
    </>
  );
}
