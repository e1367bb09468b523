import { useState } from "preact/hooks";
import { askJson } from "../../api/ask.ts";
import { inSandbox, SANDBOX } from "../../api/base.ts";
import { leaveAfter } from "../../api/leaving.ts";
import { noteChange } from "../../api/live-data.ts";
import { type PromoteOptions, type Promotion, promoteSandbox, type Sandbox, sandboxPath } from "../../api/sandbox.ts";
import { useOverview } from "../../api/use-overview.ts";
import { useConfirm } from "../../ui/confirm.tsx";
import { plural } from "../../ui/format.ts";
import type { Said } from "../../ui/said.ts";
import { CompareDialog } from "./compare-dialog.tsx";
import "../lab-view.css";

/** Compares, promotes, resets and discards sandboxes, with the questions that this takes. `dialogs` is to be shown. */
export function useSandboxActions(attempt: (work: () => Promise<Said>) => Promise<void>) {
  const { readOnly } = useOverview();
  const [compared, setCompared] = useState<Sandbox>();
  const [question, ask] = useConfirm();
  const promote = (sandbox: Sandbox, options: PromoteOptions): Promise<void> =>
    attempt(async () => {
      setCompared(undefined);
      const made = await promoteSandbox(sandbox, options);
      noteChange();
      return { text: `Applied ${sandbox.name} to the main data: ${promotionWords(made)}.` };
    });
  return {
    compare: setCompared,
    reset: (sandbox: Sandbox) => ask({ ...resetting(sandbox), onConfirm: () => attempt(() => resetSandbox(sandbox)) }),
    discard: (sandbox: Sandbox) =>
      ask({ ...discarding(sandbox), onConfirm: () => attempt(() => discardSandbox(sandbox)) }),
    dialogs: (
      <>
        {question}
        {compared && (
          <CompareDialog
            sandbox={compared}
            isReadOnly={readOnly}
            onPromote={(options) => promote(compared, options)}
            onClose={() => setCompared(undefined)}
          />
        )}
      </>
    ),
  };
}

async function resetSandbox(sandbox: Sandbox): Promise<Said> {
  await askJson("POST", `${sandboxPath(sandbox)}/reset`);
  return { text: `Reset ${sandbox.name}.` };
}

const resetting = ({ name }: Sandbox) => ({
  title: `Reset ${name}?`,
  text: "This undoes everything that was done in the sandbox. The main data does not change.",
  action: "Reset",
});

async function discardSandbox(sandbox: Sandbox): Promise<Said> {
  const discard = (): Promise<unknown> => askJson("DELETE", sandboxPath(sandbox));
  await (sandbox.name === SANDBOX ? leaveAfter(discard, inSandbox(undefined, "#/lab")) : discard());
  return { text: `Discarded ${sandbox.name}.` };
}

const discarding = ({ name }: Sandbox) => ({
  title: `Discard ${name}?`,
  text: "This removes the sandbox with everything that was done in it. The main data does not change.",
  action: "Discard",
});

/** "1 record changed, 2 records removed". */
function promotionWords(promotion: Promotion): string {
  const made = (["created", "changed", "removed"] as const)
    .filter((kind) => promotion[kind] > 0)
    .map((kind) => `${plural(promotion[kind], "record")} ${kind}`);
  return made.length > 0 ? made.join(", ") : "nothing had changed";
}
