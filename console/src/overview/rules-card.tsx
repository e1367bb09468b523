import { useEffect, useState } from "preact/hooks";
import { askJson } from "../api/ask.ts";
import { asRefusal } from "../api/refusal.ts";

interface Rewritten {
  readonly path: string;
  readonly rules: readonly string[];
}

const PAUSE_MS = 150;

/** The rewrite rules, and a box to try them. */
export function RulesCard({ rules }: { rules: Readonly<Record<string, string>> }) {
  const entries = Object.entries(rules);
  return (
    <section class="card" aria-labelledby="rules">
      <h2 id="rules">Rewrite rules</h2>
      {entries.length === 0 ? (
        <p class="hint">
          None. Add a file with <code>--routes</code> to rewrite URLs.
        </p>
      ) : (
        <>
          <ul class="rules">
            {entries.map(([from, to]) => (
              <li key={from}>
                <code>{from}</code>
                <span aria-hidden="true">→</span>
                <code>{to}</code>
              </li>
            ))}
          </ul>
          <TryPath />
        </>
      )}
    </section>
  );
}

function TryPath() {
  const [path, setPath] = useState("");
  const [outcome, setOutcome] = useState("");
  useEffect(() => {
    if (path === "") return setOutcome("");
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const text = await tryPath(path);
      if (isCurrent) setOutcome(text);
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [path]);
  return (
    <div class="field">
      <label for="try-path">Try a path</label>
      <input
        id="try-path"
        class="mono"
        placeholder="/api/products?price:gte=10"
        spellcheck={false}
        onInput={(event) => setPath(event.currentTarget.value.trim())}
      />
      <p class="outcome" aria-live="polite">
        {outcome}
      </p>
    </div>
  );
}

async function tryPath(path: string): Promise<string> {
  try {
    const { path: becomes, rules } = await askJson<Rewritten>("POST", "/__rewrite", { body: { path } });
    return rules.length === 0
      ? "No rule matches; the path does not change."
      : `${becomes}  (by ${rules.join(", then ")})`;
  } catch (thrown) {
    return asRefusal(thrown).message;
  }
}
