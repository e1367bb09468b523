import { inSandbox, SANDBOX_PREFIX } from "../api/base.ts";
import { loadChange } from "../api/history.ts";
import { lastOf, refusalIn } from "../api/resource.ts";
import { useResource } from "../api/use-resource.ts";
import { ChangeCard } from "../records/comparison/change-card.tsx";
import { plural } from "../ui/format.ts";
import { Loading } from "../ui/notice.tsx";

/** Shown of a change; the history has the rest. */
const FEW = 5;

interface MadeChangeProps {
  readonly version: number;
  readonly sandbox: string | undefined;
}

/** The records that a request has changed, before and after, by its version in the history. */
export function MadeChange({ version, sandbox }: MadeChangeProps) {
  const place = sandbox === undefined ? "" : `${SANDBOX_PREFIX}${encodeURIComponent(sandbox)}`;
  const [loaded] = useResource((signal) => loadChange(version, 0, { signal, place }), [version, place]);
  const change = lastOf(loaded);
  return (
    <section class="entry-part">
      <h3>Changed</h3>
      {!change && loaded.kind === "loading" && <Loading what="the change" />}
      {refusalIn(loaded) && <p class="hint">The history has no longer what it changed.</p>}
      {change?.edits.slice(0, FEW).map((edit) => (
        <ChangeCard key={`${edit.collection}/${edit.id}`} change={edit} states={["Before", "After"]} />
      ))}
      {change && (
        <p>
          <a href={inSandbox(sandbox, `#/history/${version}`)}>
            {change.total > FEW
              ? `All ${plural(change.total, "record")} of version ${version}`
              : `Version ${version} in the history`}
          </a>
        </p>
      )}
    </section>
  );
}
