import { useState } from "preact/hooks";
import { API_URL, IS_IN_WORKER, ONLY_PAGES } from "../../api/base.ts";
import type { Refusal } from "../../api/refusal.ts";
import { useOverview } from "../../api/use-overview.ts";
import { CollectionDialogs } from "../../data/collection-dialogs.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Problem } from "../../ui/notice.tsx";
import { GenerateDialog } from "./generate-dialog.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import "./start-page.css";

type Way = "create" | "import" | "generate";

const WAYS: readonly { way: Way; icon: IconName; title: string; text: string }[] = [
  {
    way: "create",
    icon: "plus",
    title: "Create a collection",
    text: "Name it, and add records by hand or with POST.",
  },
  {
    way: "import",
    icon: "page",
    title: "Import a file",
    text: "A JSON data file, or the records of a collection as JSON or CSV.",
  },
  {
    way: "generate",
    icon: "data",
    title: "Generate sample data",
    text: "Related collections with plausible records: a shop, a blog, a task board.",
  },
];

/** The first thing to see while there is no data: three ways to get some. */
export function StartPage() {
  const overview = useOverview();
  const [way, setWay] = useState<Way>();
  const [refusal, setRefusal] = useState<Refusal>();
  const close = (): void => setWay(undefined);
  if (overview.readOnly) {
    return (
      <section class="card start" aria-labelledby="start">
        <h2 id="start">Nothing is served yet</h2>
        <p class="soft">
          The server is read-only. Start it with a data file, or without <code>--read-only</code> to add data here.
        </p>
      </section>
    );
  }
  const command = `curl -X POST ${API_URL}/__collections -H 'Content-Type: application/json' -d '{"name":"products"}'`;
  return (
    <section class="card start" aria-labelledby="start">
      <h2 id="start">Start with some data</h2>
      <p class="soft">Each collection is served as a REST API at once, and this page shows all of them.</p>
      {refusal && <Problem refusal={refusal} />}
      <ul class="start-ways">
        {WAYS.map(({ way: name, icon, title, text }) => (
          <li key={name}>
            <button type="button" class="start-way" onClick={() => setWay(name)}>
              <span class="empty-icon">
                <Icon name={icon} />
              </span>
              <strong>{title}</strong>
              <span class="soft">{text}</span>
            </button>
          </li>
        ))}
      </ul>
      {IS_IN_WORKER ? (
        <p class="soft">{ONLY_PAGES}</p>
      ) : (
        <div class="row start-command">
          <code class="cut">{command}</code>
          <CopyButton text={command} />
        </div>
      )}
      {way === "create" && <CollectionDialogs asked={{ kind: "create" }} onClose={close} onRefused={setRefusal} />}
      {way === "import" && <ImportDialog onClose={close} />}
      {way === "generate" && <GenerateDialog onClose={close} />}
    </section>
  );
}
