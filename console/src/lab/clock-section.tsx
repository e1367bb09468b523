import { useOverview } from "../api/use-overview.ts";
import { CLOCK_KINDS, ServerTime } from "../ui/server-clock.tsx";

/** The two things that make a run differ from the next: the time, and random values. */
export function ClockSection() {
  const { clock, seed } = useOverview();
  return (
    <section aria-labelledby="lab-clock" class="column lab-section">
      <div class="cluster page-head">
        <div>
          <h2 id="lab-clock">The same in every run</h2>
          <p class="lead">Stop the clock and set a seed, and every run gives the same times, ids and delays.</p>
        </div>
      </div>
      <dl class="run-facts">
        <div class="card">
          <dt>Clock</dt>
          <dd>
            <strong>{CLOCK_KINDS[clock.kind]}</strong>
            <ServerTime clock={clock} />
          </dd>
          {clock.kind === "real" && (
            <dd class="hint">
              <code>--clock 2030-01-01T12:00:00Z</code> stops it
            </dd>
          )}
        </div>
        <div class="card">
          <dt>Seed</dt>
          <dd>
            <strong>{seed ?? "None"}</strong>
            <span class="soft">
              {seed === null ? "ids and faults differ from run to run" : "ids and faults repeat"}
            </span>
          </dd>
          {seed === null && (
            <dd class="hint">
              <code>--seed 7</code> makes them repeat
            </dd>
          )}
        </div>
      </dl>
    </section>
  );
}
