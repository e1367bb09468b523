import { useOverview } from "../api/use-overview.ts";
import { addressOf } from "../request/request-draft.ts";
import { openInBuilder } from "../request/request-state.ts";
import { Method } from "../ui/method.tsx";
import { examplesFor } from "./examples.ts";

/** Suggested first requests; each opens in the builder. */
export function ExamplesCard() {
  const overview = useOverview();
  const examples = examplesFor(overview);
  if (examples.length === 0) return null;
  return (
    <section class="card" aria-labelledby="examples">
      <h2 id="examples">Try a request</h2>
      <ul class="examples-list">
        {examples.map(({ does, draft }) => (
          <li key={does}>
            <button type="button" onClick={() => openInBuilder(draft)}>
              <span>{does}</span>
              <code class="cut">
                <Method name={draft.method} /> {addressOf(draft)}
              </code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
