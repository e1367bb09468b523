import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

export interface Confirmation {
  readonly title: string;
  readonly text: string;
  /** The label of the button, a verb: "Restore". */
  readonly action: string;
  /** The label of the other button, unless it is "Cancel". */
  readonly cancel?: string;
  /** Something to do first, if the person ticks it. */
  readonly first?: string | undefined;
  readonly onConfirm: (isFirstWanted: boolean) => unknown;
}

/** Asks for confirmation before a change of much data. */
export function Confirm(props: Confirmation & { readonly onClose: () => void }) {
  const { title, text, action, cancel = "Cancel", first, onConfirm, onClose } = props;
  const [isWanted, setWanted] = useState(false);
  const confirm = (): void => {
    onClose();
    onConfirm(isWanted);
  };
  return (
    <Dialog title={title} shape="box" onClose={onClose}>
      <p>{text}</p>
      {first !== undefined && (
        <label class="check">
          <input type="checkbox" checked={isWanted} onChange={(event) => setWanted(event.currentTarget.checked)} />
          {first}
        </label>
      )}
      <div class="cluster actions">
        <Button onClick={onClose}>{cancel}</Button>
        <Button look="danger" onClick={confirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}

/** The question that is open, and a function that asks one. */
export function useConfirm(): readonly [VNode | undefined, (question: Confirmation) => void] {
  const [asked, setAsked] = useState<Confirmation>();
  return [asked && <Confirm {...asked} onClose={() => setAsked(undefined)} />, setAsked];
}
