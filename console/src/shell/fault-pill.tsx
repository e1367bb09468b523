import { useEffect, useRef, useState } from "preact/hooks";
import { type ActiveFault, faults, isActive, turnFaults } from "../api/faults.ts";
import { asRefusal, type Refusal } from "../api/refusal.ts";
import { createStore, useStore } from "../api/store.ts";
import { useKnownOverview } from "../api/use-overview.ts";
import { effectOf, limitsOf, scopeOf } from "../lab/faults/fault-words.ts";
import { go } from "../routes/use-route.ts";
import { Button } from "../ui/button.tsx";
import { plural } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Problem } from "../ui/notice.tsx";
import { Popover } from "../ui/popover.tsx";

const MOST_SHOWN = 6;

/** How many faults requests can meet, with a switch for all of them. There is none while there are no faults. */
export function FaultPill() {
  const overview = useKnownOverview();
  const all = useStore(faults);
  const [isBusy, setBusy] = useState(false);
  const refusal = useStore(notSwitched);
  const pill = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The list says why; the switch alone would seem to do nothing.
    if (refusal && !pill.current?.querySelector(":popover-open")) {
      pill.current?.querySelector<HTMLElement>(".fault-count")?.click();
    }
  }, [refusal]);
  const active = all.filter(isActive);
  const off = all.filter((fault) => fault.off);
  if (active.length === 0 && off.length === 0) return null;
  const isOn = active.length > 0;
  const turn = async (): Promise<void> => {
    setBusy(true);
    await switchFaults(all);
    setBusy(false);
  };
  const words = isOn ? `${plural(active.length, "fault")} active` : `${plural(off.length, "fault")} off`;
  return (
    <div ref={pill} class={isOn ? "fault-pill on" : "fault-pill"}>
      <Popover
        label="Faults"
        look="fault-count"
        buttonLabel={`${words}. Show them`}
        onClose={() => notSwitched.set(undefined)}
        button={
          <>
            <Icon name="fault" />
            <span class="fault-words">{words}</span>
            <span class="fault-number">{isOn ? active.length : off.length}</span>
          </>
        }
      >
        {(close) => <FaultList shown={isOn ? active : off} refusal={refusal} close={close} />}
      </Popover>
      {!overview?.readOnly && (
        <button
          type="button"
          role="switch"
          class="fault-switch"
          aria-label="Faults"
          aria-checked={isOn}
          aria-disabled={isBusy || undefined}
          onClick={() => void (isBusy || turn())}
        />
      )}
      <span class="unseen" role="status">
        {refusal ? `Not switched: ${refusal.message}` : words}
      </span>
    </div>
  );
}

/** Why the switch did not work the last time. */
const notSwitched = createStore<Refusal | undefined>(undefined);

/** Those that the switch turned off: those that were off before stay off. */
let turnedOff: ReadonlySet<string> = new Set();

/** Turns all faults off, or on again. */
export async function switchFaults(all: readonly ActiveFault[]): Promise<void> {
  notSwitched.set(undefined);
  await turnAll(all).catch((thrown) => notSwitched.set(asRefusal(thrown)));
}

async function turnAll(all: readonly ActiveFault[]): Promise<void> {
  const active = all.filter(isActive);
  if (active.length > 0) {
    turnedOff = new Set(active.map(({ id }) => id));
    await turnFaults(active, true);
    return;
  }
  const off = all.filter((fault) => fault.off);
  const ours = off.filter(({ id }) => turnedOff.has(id));
  await turnFaults(ours.length > 0 ? ours : off, false);
}

interface FaultListProps {
  readonly shown: readonly ActiveFault[];
  readonly refusal: Refusal | undefined;
  readonly close: () => void;
}

function FaultList({ shown, refusal, close }: FaultListProps) {
  return (
    <div class="column fault-list">
      {refusal && <Problem refusal={refusal} />}
      <ul>
        {shown.slice(0, MOST_SHOWN).map((fault) => (
          <li key={fault.id}>
            <strong class="cut">{effectOf(fault)}</strong>
            <span class="cut soft">{[scopeOf(fault), ...limitsOf(fault)].join(", ")}</span>
            <span class="soft">{plural(fault.hits, "hit")}</span>
          </li>
        ))}
      </ul>
      {shown.length > MOST_SHOWN && <p class="soft">And {shown.length - MOST_SHOWN} more.</p>}
      <p class="hint">Requests of this console never meet them.</p>
      <Button
        look="small"
        isFirst
        onClick={() => {
          close();
          go({ view: "lab" });
        }}
      >
        Open the test lab
      </Button>
    </div>
  );
}
