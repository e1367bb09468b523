import { useEffect, useState } from "preact/hooks";
import { askJson } from "../api/ask.ts";
import { asRefusal, type Refusal } from "../api/refusal.ts";
import { Dialog } from "../ui/dialog.tsx";
import { formatCount } from "../ui/format.ts";
import { Loading, Problem } from "../ui/notice.tsx";
import { type Comparison, type MemberComparison, nameOf, type Snapshot, snapshotPath } from "./snapshot.ts";

const KINDS = ["added", "changed", "removed"] as const;

/** Shows the changes since a snapshot. */
export function ComparisonDialog({ snapshot, onClose }: { snapshot: Snapshot; onClose: () => void }) {
  const [comparison, setComparison] = useState<Comparison>();
  const [refusal, setRefusal] = useState<Refusal>();
  useEffect(() => {
    askJson<Comparison>("GET", `${snapshotPath(snapshot)}/comparison`).then(setComparison, (thrown) =>
      setRefusal(asRefusal(thrown)),
    );
  }, [snapshot]);
  const changed = comparison?.members.filter((member) => KINDS.some((kind) => member[kind] > 0)) ?? [];
  return (
    <Dialog title={`Since ${nameOf(snapshot)}`} shape="box" onClose={onClose}>
      {refusal && <Problem refusal={refusal} />}
      {!comparison && !refusal && <Loading what="the comparison" />}
      {comparison && changed.length === 0 && <p>Nothing has changed since.</p>}
      {changed.length > 0 && (
        <table class="comparison">
          <thead>
            <tr>
              <th scope="col">Collection</th>
              {KINDS.map((kind) => (
                <th key={kind} scope="col">
                  {kind[0]?.toUpperCase()}
                  {kind.slice(1)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {changed.map((member) => (
              <tr key={member.name}>
                <th scope="row">{member.name}</th>
                {KINDS.map((kind) => (
                  <td key={kind}>
                    <Amount member={member} kind={kind} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function Amount({ member, kind }: { member: MemberComparison; kind: (typeof KINDS)[number] }) {
  const count = member[kind];
  if (count === 0) return <span class="soft">0</span>;
  const ids = member.examples[kind].slice(0, 5);
  return (
    <>
      <strong>{formatCount(count)}</strong>
      {ids.length > 0 && (
        <span class="examples cut">
          {ids.join(", ")}
          {count > ids.length ? ", …" : ""}
        </span>
      )}
    </>
  );
}
