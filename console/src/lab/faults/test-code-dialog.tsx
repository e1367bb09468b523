import { useState } from "preact/hooks";
import { IS_IN_WORKER, ONLY_PAGES, SERVER_URL } from "../../api/base.ts";
import type { FaultRule } from "../../api/faults.ts";
import type { Overview } from "../../api/overview.ts";
import { useOverview } from "../../api/use-overview.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { csharpCode } from "./code/csharp-code.ts";
import { playwrightCode } from "./code/playwright-code.ts";
import { testCaseOf } from "./code/test-case.ts";
import { vitestCode } from "./code/vitest-code.ts";

const RUNNERS = ["Vitest", "Playwright", "C#"] as const;
type Runner = (typeof RUNNERS)[number];
/** A test of the others would send its requests to this API. */
const TABS = RUNNERS.filter((runner) => !IS_IN_WORKER || runner === "Vitest").map(
  (runner) => [runner, runner] as const,
);

const NOTES: Readonly<Record<Runner, string>> = {
  Vitest: "Starts a server of its own for the test, on a free port. Writes nothing to your file.",
  Playwright: "Uses this server, with a sandbox for each test.",
  "C#": "For xUnit. Uses this server, with a sandbox for each test.",
};

interface TestCodeDialogProps {
  readonly rule: FaultRule;
  readonly onClose: () => void;
}

/** The fault as a test to copy: it adds the rule, sends a request and expects what comes of it. */
export function TestCodeDialog({ rule, onClose }: TestCodeDialogProps) {
  const overview = useOverview();
  const [runner, setRunner] = useState<Runner>("Vitest");
  const code = codeFor(runner, rule, overview);
  const needsSandboxes = runner !== "Vitest" && overview.sandboxes === null;
  return (
    <Dialog title="Test code" shape="drawer" onClose={onClose}>
      <div class="cluster code-head">
        <Tabs label="Test runner" tabs={TABS} chosen={runner} onChoose={setRunner} />
        <CopyButton key={runner} text={code} />
      </div>
      <p class="soft">
        {NOTES[runner]}
        {IS_IN_WORKER && ` ${ONLY_PAGES}`}
      </p>
      {needsSandboxes && (
        <p class="soft">Sandboxes are off here: start the server for this test without --sandboxes 0.</p>
      )}
      <ScrollRegion look="code tall" label={`The fault as a test for ${runner}`}>
        <pre>{code}</pre>
      </ScrollRegion>
    </Dialog>
  );
}

function codeFor(runner: Runner, rule: FaultRule, overview: Overview): string {
  const test = testCaseOf(rule, overview);
  if (runner === "Vitest") return vitestCode(test, overview);
  return runner === "Playwright" ? playwrightCode(test, SERVER_URL) : csharpCode(test, SERVER_URL);
}
