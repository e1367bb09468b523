import { useState } from "preact/hooks";
import { inSandbox, SANDBOX } from "../api/base.ts";
import { asRefusal, type Refusal } from "../api/refusal.ts";
import { createSandbox } from "../api/sandbox.ts";
import { Empty, Problem } from "../ui/notice.tsx";

export function isSandboxGone({ code }: Refusal): boolean {
  return SANDBOX !== undefined && code === "SANDBOX_NOT_FOUND";
}

/** Instead of the view, where the page was opened for a sandbox that there is not. */
export function SandboxGone() {
  return (
    <Empty icon="sandboxes" title={`There is no sandbox ${SANDBOX}`}>
      <p>It expired, was discarded, or was never created. A new one begins as a copy of the main data.</p>
      <SandboxWaysOut look="button" />
    </Empty>
  );
}

export function SandboxWaysOut({ look }: { look: string }) {
  const [refusal, setRefusal] = useState<Refusal>();
  const create = async (): Promise<void> => {
    try {
      await createSandbox(SANDBOX ?? "", "current");
      location.reload();
    } catch (thrown) {
      setRefusal(asRefusal(thrown));
    }
  };
  return (
    <>
      {refusal && <Problem refusal={refusal} />}
      <div class="cluster actions">
        <button type="button" class={look} onClick={() => void create()}>
          Create {SANDBOX}
        </button>
        <a class={`${look} primary`} href={inSandbox(undefined)}>
          Show the main data
        </a>
      </div>
    </>
  );
}
