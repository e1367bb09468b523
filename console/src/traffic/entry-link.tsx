import { withoutBase } from "../api/base.ts";
import { Method } from "../ui/method.tsx";
import { type Entry, formatFault, isOfConsole } from "./entry.ts";

/** Method and address of a request: the button that opens it. Sandbox and fault follow where the table has no room for columns. */
export function EntryLink({ entry, onOpen }: { entry: Entry; onOpen: (entry: Entry) => void }) {
  const { method, url, rewritten, sandbox, faults } = entry;
  return (
    <>
      <button type="button" class="entry-link" onClick={() => onOpen(entry)}>
        <Method name={method} />
        <bdi class="cut">{withoutBase(url)}</bdi>
        {isOfConsole(entry) && <span class="entry-tag own">console</span>}
      </button>
      {rewritten !== undefined && <span class="rewritten cut">→ {rewritten}</span>}
      {(sandbox !== undefined || faults) && (
        <span class="entry-tags">
          {sandbox !== undefined && <span class="entry-tag">{sandbox}</span>}
          {faults?.map((fault) => (
            <span key={fault.id ?? "asked"} class="entry-tag fault">
              {formatFault(fault)}
            </span>
          ))}
        </span>
      )}
    </>
  );
}
