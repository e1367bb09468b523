import { useState } from "preact/hooks";
import { pathHere } from "../api/base.ts";
import type { Overview } from "../api/overview.ts";
import type { Refusal } from "../api/refusal.ts";
import { useOverview } from "../api/use-overview.ts";
import { type AskedOfCollections, CollectionDialogs } from "../data/collection-dialogs.tsx";
import { linksIn } from "../records/relations.ts";
import { Button } from "../ui/button.tsx";
import { lazy } from "../ui/lazy.tsx";
import { Problem } from "../ui/notice.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { MemberList } from "./member-list.tsx";

const Diagram = lazy("the diagram", async () => (await import("./diagram/diagram.tsx")).Diagram);

type Look = "diagram" | "list";
const LOOKS = [
  ["diagram", "Diagram"],
  ["list", "List"],
] as const;
/** The look that the user chose last. */
const PLACE = "standin-overview-data";

/** The collections, as a diagram of their relations or as a list. */
export function DataCard() {
  const overview = useOverview();
  const hasRelations = linksIn(overview).length > 0;
  const example = exampleKey(overview);
  const [chosen, setChosen] = useState(keptLook);
  const [asked, setAsked] = useState<AskedOfCollections>();
  const [refusal, setRefusal] = useState<Refusal>();
  // Boxes without lines say less than a list.
  const look = chosen ?? (hasRelations ? "diagram" : "list");
  const choose = (next: Look): void => {
    localStorage.setItem(PLACE, next);
    setChosen(next);
  };
  const open = (question: AskedOfCollections): void => {
    setRefusal(undefined);
    setAsked(question);
  };
  return (
    <section class="card" aria-labelledby="served">
      <div class="cluster card-head">
        <h2 id="served">Data</h2>
        <Tabs label="Shown as" tabs={LOOKS} chosen={look} onChoose={choose} />
        {!overview.readOnly && (
          <Button look="small" icon="plus" onClick={() => open({ kind: "create" })}>
            New collection
          </Button>
        )}
      </div>
      {refusal && <Problem refusal={refusal} />}
      {look === "diagram" ? <Diagram /> : <MemberList onAsk={open} />}
      <p class="hint data-hint">
        {!hasRelations && (
          <>
            No relations yet: a field such as <code>{example.field}</code> would refer to {example.to}.{" "}
          </>
        )}
        All data: <a href={pathHere("/db")}>/db</a>. Number ranges: <a href={pathHere("/stats")}>/stats</a>.
      </p>
      {asked && <CollectionDialogs asked={asked} onClose={() => setAsked(undefined)} onRefused={setRefusal} />}
    </section>
  );
}

function keptLook(): Look | undefined {
  const kept = localStorage.getItem(PLACE);
  return kept === "diagram" || kept === "list" ? kept : undefined;
}

/** A foreign key that would refer to one of the collections, if its singular is plain. */
function exampleKey({ members, foreignKeySuffix }: Overview): { field: string; to: string } {
  const to = members.find(({ kind, name }) => kind === "collection" && /^\w+[^aeious]s$/.test(name))?.name ?? "users";
  return { field: `${to.slice(0, -1)}${foreignKeySuffix ?? "Id"}`, to };
}
