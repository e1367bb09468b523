import { askJson } from "../api/ask.ts";
import { IS_IN_WORKER } from "../api/base.ts";
import type { JsonObject } from "../api/json.ts";
import { loadOverview } from "../api/live-data.ts";
import { type ServerClock, servesData } from "../api/overview.ts";
import { useKnownOverview } from "../api/use-overview.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Problem } from "../ui/notice.tsx";
import { Popover } from "../ui/popover.tsx";
import { CLOCK_KINDS, ServerTime } from "../ui/server-clock.tsx";
import { useAttempt } from "../ui/use-attempt.ts";

/** The clock of the shown data: its time, where that is not the real one, and what moves it. */
export function ClockPill() {
  const overview = useKnownOverview();
  if (!overview || IS_IN_WORKER || !servesData(overview)) return null;
  const { clock } = overview;
  const isReal = clock.kind === "real";
  return (
    <div class={isReal ? "clock-pill wide-only" : "clock-pill moved"}>
      <Popover
        label="Clock"
        look={isReal ? "icon-button" : "fault-count"}
        button={
          <>
            <Icon name="clock" />
            <span class="unseen">Clock: {CLOCK_KINDS[clock.kind]}</span>
            {!isReal && (
              <span class="fault-words">
                <ServerTime clock={clock} />
              </span>
            )}
          </>
        }
      >
        {() => <ClockBox clock={clock} />}
      </Popover>
    </div>
  );
}

function ClockBox({ clock }: { clock: ServerClock }) {
  const { refusal, isBusy, attempt } = useAttempt();
  const move = (body: JsonObject) => (): Promise<void> =>
    attempt(async () => {
      // What is known of the time may have changed even if not all that is due has run.
      await askJson("POST", "/__clock", { body }).finally(loadOverview);
    });
  return (
    <div class="column clock-box">
      {refusal && <Problem refusal={refusal} />}
      <strong>{CLOCK_KINDS[clock.kind]}</strong>
      <ServerTime clock={clock} />
      {clock.kind !== "program" && (
        <div class="cluster">
          <Button look="small" isFirst isBusy={isBusy} onClick={move({ advance: "1h" })}>
            +1 h
          </Button>
          <Button look="small" isBusy={isBusy} onClick={move({ real: true })}>
            Real time
          </Button>
        </div>
      )}
      <p class="hint">
        {clock.kind === "program"
          ? "It comes from a function of the program that started the server."
          : "Webhooks and changes that become due on the way happen at once."}
      </p>
    </div>
  );
}
