import { useState } from "preact/hooks";
import { useStore } from "../api/store.ts";
import { Button } from "../ui/button.tsx";
import { FormDialog } from "../ui/form.tsx";
import { formatClock } from "../ui/format.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { Method } from "../ui/method.tsx";
import { NameInput } from "../ui/name-input.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { addressOf, type RequestDraft } from "./request-draft.ts";
import { removeSaved, savedRequests, saveRequest, sentRequests } from "./request-history.ts";
import { openInBuilder } from "./request-state.ts";

const TABS = [
  ["sent", "History"],
  ["saved", "Saved"],
] as const;

/** Requests to send again: those that were sent, and those that were saved under a name. */
export function RequestShelf({ draft }: { draft: RequestDraft }) {
  const sent = useStore(sentRequests);
  const saved = useStore(savedRequests);
  const [tab, setTab] = useState<"sent" | "saved">("sent");
  const [isNaming, setNaming] = useState(false);
  return (
    <section class="card" aria-labelledby="request-shelf">
      <div class="cluster card-head">
        <h2 id="request-shelf">Requests</h2>
        <Tabs label="Which requests" tabs={TABS} chosen={tab} onChoose={setTab} />
        <Button look="small" onClick={() => setNaming(true)}>
          Save this one
        </Button>
        {tab === "sent" && sent.length > 0 && (
          <Button look="small" onClick={() => sentRequests.set([])}>
            Clear
          </Button>
        )}
      </div>
      {tab === "sent" && (
        <ul class="shelf" aria-label="Sent requests">
          {sent.map(({ draft: one, status, time }) => (
            <li key={`${time} ${addressOf(one)}`}>
              <Shelved draft={one} name={addressOf(one)} />
              {status > 0 && <StatusBadge status={status} />}
              <span class="soft">{formatClock(time)}</span>
            </li>
          ))}
        </ul>
      )}
      {tab === "saved" && (
        <ul class="shelf" aria-label="Saved requests">
          {saved.map(({ draft: one, name }) => (
            <li key={name}>
              <Shelved draft={one} name={name} />
              <IconButton icon="trash" label={`Delete ${name}`} onClick={() => removeSaved(name)} />
            </li>
          ))}
        </ul>
      )}
      {(tab === "sent" ? sent : saved).length === 0 && (
        <p class="hint">{tab === "sent" ? "Requests that you send are listed here." : "No request is saved yet."}</p>
      )}
      {isNaming && (
        <NameDialog
          draft={draft}
          onClose={() => setNaming(false)}
          onSave={(name) => {
            saveRequest(name, draft);
            setTab("saved");
          }}
        />
      )}
    </section>
  );
}

function Shelved({ draft, name }: { draft: RequestDraft; name: string }) {
  return (
    <button type="button" class="shelved cut" title={addressOf(draft)} onClick={() => openInBuilder(draft)}>
      <Method name={draft.method} isShort /> {name}
    </button>
  );
}

interface NameDialogProps {
  readonly draft: RequestDraft;
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
}

function NameDialog({ draft, onSave, onClose }: NameDialogProps) {
  const [name, setName] = useState(`${draft.method} ${addressOf(draft)}`);
  const taken = useStore(savedRequests).map((saved) => saved.name);
  const save = (): void => {
    onSave(name.trim());
    onClose();
  };
  return (
    <FormDialog title="Save the request" action="Save" onSubmit={save} onClose={onClose}>
      <Labelled label="Name">
        {(id) => <NameInput {...{ id, taken }} what="request" value={name} onInput={setName} />}
      </Labelled>
      <p class="hint">It is kept in this browser, without secrets.</p>
    </FormDialog>
  );
}
