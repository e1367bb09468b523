import { useState } from "preact/hooks";
import { IS_IN_WORKER, inSandbox, SERVER_URL } from "../../api/base.ts";
import { createSandbox, type Sandbox } from "../../api/sandbox.ts";
import { loadSandboxes } from "../../api/sandbox-list.ts";
import { useStore } from "../../api/store.ts";
import { useOverview } from "../../api/use-overview.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Problem } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { playStep } from "./play-step.ts";
import { removeScenario, type Scenario, scenarios, stepText } from "./scenario.ts";
import { RUNNERS, type ScenarioRunner, scenarioCode } from "./scenario-code.ts";
import { ScenarioDialog } from "./scenario-dialog.tsx";

/** A scenario that is being played. */
interface Playing {
  readonly scenario: Scenario;
  readonly sandbox: Sandbox;
  readonly at: number;
}

/** States of data and faults that follow each other: played step by step in a sandbox, or copied as a test. */
export function ScenarioSection() {
  const known = useStore(scenarios);
  const [edited, setEdited] = useState<{ readonly scenario: Scenario | undefined }>();
  const [coded, setCoded] = useState<Scenario>();
  const [playing, setPlaying] = useState<Playing>();
  const { refusal, isBusy, attempt } = useAttempt();
  const go = (next: Playing): Promise<void> =>
    attempt(async () => {
      const step = next.scenario.steps[next.at];
      if (step) await playStep(next.sandbox, step);
      setPlaying(next);
    });
  const play = (scenario: Scenario): Promise<void> =>
    attempt(async () => {
      const sandbox = await createSandbox("", "current");
      const [first] = scenario.steps;
      if (first) await playStep(sandbox, first);
      setPlaying({ scenario, sandbox, at: 0 });
      await loadSandboxes();
    });
  return (
    <section aria-labelledby="lab-scenarios" class="column lab-section">
      <PageHead
        id="lab-scenarios"
        title="Scenarios"
        lead="States of data and faults that follow each other: played in a sandbox, or copied as a test."
        actions={
          <Button icon="plus" onClick={() => setEdited({ scenario: undefined })}>
            New scenario
          </Button>
        }
      />
      {refusal && <Problem refusal={refusal} />}
      {known.length > 0 && (
        <ul class="card flush" aria-label="Scenarios">
          {known.map((scenario) => (
            <li key={scenario.name} class="cluster scenario-row">
              <div class="column scenario-text">
                <strong>{scenario.name}</strong>
                <span class="soft">{scenario.steps.map(stepText).join(" → ")}</span>
              </div>
              <div class="cluster actions">
                <Button look="small" icon="play" isBusy={isBusy} onClick={() => play(scenario)}>
                  Play
                </Button>
                <IconButton icon="pencil" label={`Edit ${scenario.name}`} onClick={() => setEdited({ scenario })} />
                {!IS_IN_WORKER && (
                  <Button look="small" onClick={() => setCoded(scenario)}>
                    Test code
                  </Button>
                )}
                <IconButton icon="trash" label={`Remove ${scenario.name}`} onClick={() => removeScenario(scenario)} />
              </div>
            </li>
          ))}
        </ul>
      )}
      {playing && <Player playing={playing} isBusy={isBusy} onStep={go} onStop={() => setPlaying(undefined)} />}
      {edited && <ScenarioDialog scenario={edited.scenario} onClose={() => setEdited(undefined)} />}
      {coded && <CodeDialog scenario={coded} onClose={() => setCoded(undefined)} />}
    </section>
  );
}

interface PlayerProps {
  readonly playing: Playing;
  readonly isBusy: boolean;
  readonly onStep: (next: Playing) => Promise<void>;
  readonly onStop: () => void;
}

/** The step that is on, with the ways to the next one and to the sandbox. */
function Player({ playing, isBusy, onStep, onStop }: PlayerProps) {
  const { scenario, sandbox, at } = playing;
  const { steps, name } = scenario;
  const step = steps[at];
  return (
    <section class="column card" aria-label={`Playing ${name}`}>
      <p role="status">
        <strong>
          {name}, step {at + 1} of {steps.length}:
        </strong>{" "}
        {step && stepText(step)}
      </p>
      <div class="row sandbox-url">
        <code class="cut">{sandbox.url}</code>
        <CopyButton text={sandbox.url} />
      </div>
      <div class="cluster actions">
        <Button isBusy={isBusy || at === 0} onClick={() => onStep({ ...playing, at: at - 1 })}>
          Back
        </Button>
        <Button
          look="primary"
          isBusy={isBusy || at === steps.length - 1}
          onClick={() => onStep({ ...playing, at: at + 1 })}
        >
          Next step
        </Button>
        <a class="button" href={inSandbox(sandbox.name, "#/")}>
          Open {sandbox.name}
        </a>
        <Button onClick={onStop}>Done</Button>
      </div>
    </section>
  );
}

function CodeDialog({ scenario, onClose }: { scenario: Scenario; onClose: () => void }) {
  const { members } = useOverview();
  const [runner, setRunner] = useState<ScenarioRunner>("Vitest");
  const path = `/${encodeURIComponent(members[0]?.name ?? "db")}`;
  const code = scenarioCode(runner, scenario, { server: SERVER_URL, path });
  return (
    <Dialog title="Test code" shape="drawer" onClose={onClose}>
      <div class="cluster code-head">
        <Tabs
          label="Test runner"
          tabs={RUNNERS.map((one) => [one, one] as const)}
          chosen={runner}
          onChoose={setRunner}
        />
        <CopyButton key={runner} text={code} />
      </div>
      <p class="soft">Uses this server, with a sandbox for each test.</p>
      <ScrollRegion look="code tall" label={`The scenario as a test for ${runner}`}>
        <pre>{code}</pre>
      </ScrollRegion>
    </Dialog>
  );
}
