import { useState } from "preact/hooks";
import { removeMember, renameMember } from "../api/collections.ts";
import type { Member } from "../api/overview.ts";
import { asRefusal, Refusal } from "../api/refusal.ts";
import { SAVE_FIRST, saveSnapshot } from "../api/snapshot.ts";
import { useKnownOverview } from "../api/use-overview.ts";
import { Confirm } from "../ui/confirm.tsx";
import { FormDialog } from "../ui/form.tsx";
import { plural } from "../ui/format.ts";
import { Labelled } from "../ui/labelled.tsx";
import { Select } from "../ui/select.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import { problemInSample, type SampleField } from "./collection-sample.ts";
import { createWithSample } from "./create-collection.ts";
import { SampleFields } from "./sample-fields.tsx";

/** One request takes them. */
const MOST_RECORDS = 1000;

export type AskedOfCollections =
  | { readonly kind: "create" }
  | { readonly kind: "rename" | "remove"; readonly member: Member };

interface CollectionDialogsProps {
  readonly asked: AskedOfCollections;
  readonly onClose: () => void;
  /** It was done, with the name that is there now; undefined after a removal. */
  readonly onDone?: (name: string | undefined) => void;
  readonly onRefused: (refusal: Refusal) => void;
}

/** Creates, renames or removes a collection or singleton. */
export function CollectionDialogs({ asked, ...others }: CollectionDialogsProps) {
  if (asked.kind === "remove") return <RemoveDialog member={asked.member} {...others} />;
  return <NameDialog asked={asked} onClose={others.onClose} onDone={others.onDone} />;
}

type RemoveDialogProps = Omit<CollectionDialogsProps, "asked"> & { readonly member: Member };

function RemoveDialog({ member: { name, kind, count }, onClose, onDone, onRefused }: RemoveDialogProps) {
  const { history, snapshots = false } = useKnownOverview() ?? {};
  const remove = async (isSaved: boolean): Promise<void> => {
    try {
      if (isSaved) await saveSnapshot();
      await removeMember(name);
      onDone?.(undefined);
    } catch (thrown) {
      onRefused(asRefusal(thrown));
    }
  };
  const what = kind === "collection" ? `the collection with ${plural(count, "record")}` : "the object";
  return (
    <Confirm
      title={`Remove ${name}?`}
      text={history ? `This removes ${what}. You can revert it in the history.` : `This removes ${what} for good.`}
      action="Remove"
      first={snapshots ? SAVE_FIRST : undefined}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

interface NameDialogProps {
  readonly asked: Exclude<AskedOfCollections, { kind: "remove" }>;
  readonly onClose: () => void;
  readonly onDone: CollectionDialogsProps["onDone"];
}

function NameDialog({ asked, onClose, onDone }: NameDialogProps) {
  const old = asked.kind === "rename" ? asked.member.name : "";
  const [name, setName] = useState(old);
  const [kind, setKind] = useState<Member["kind"]>("collection");
  const [fields, setFields] = useState<readonly SampleField[]>([]);
  const [count, setCount] = useState("20");
  const overview = useKnownOverview();
  const { refusal, isBusy, attempt } = useAttempt();
  const save = async (): Promise<void> => {
    const problem = kind === "collection" ? problemInSample(fields) : undefined;
    if (problem !== undefined) throw new Refusal(0, "", "Not created yet", problem);
    if (asked.kind === "rename") await renameMember(old, name);
    else await createWithSample({ name, kind }, { fields, count: Number(count) }, overview);
    onClose();
    onDone?.(name);
  };
  return (
    <FormDialog
      title={asked.kind === "rename" ? `Rename ${old}` : "New collection"}
      action={asked.kind === "rename" ? "Rename" : "Create"}
      refusal={refusal}
      isBusy={isBusy}
      onSubmit={() => attempt(save)}
      onClose={onClose}
    >
      <Labelled label="Name">
        <input
          data-first
          required
          autocomplete="off"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </Labelled>
      {asked.kind === "create" && (
        <Labelled label="Kind">
          <Select
            value={kind}
            options={[
              ["collection", "a collection of records"],
              ["singleton", "one object"],
            ]}
            onChoose={setKind}
          />
        </Labelled>
      )}
      {asked.kind === "create" && kind === "collection" && <SampleFields fields={fields} onChange={setFields} />}
      {fields.length > 0 && kind === "collection" && (
        <Labelled label="Number of records">
          <input
            type="number"
            required
            min={1}
            max={MOST_RECORDS}
            value={count}
            onInput={(event) => setCount(event.currentTarget.value)}
          />
        </Labelled>
      )}
    </FormDialog>
  );
}
