import { useState } from "preact/hooks";
import { useOverview } from "../api/use-overview.ts";
import { Failure, Loading } from "../ui/notice.tsx";
import { RecordEditor } from "./editor/lazy-record-editor.ts";
import { useRecord } from "./editor/record-drawer.tsx";
import { CollectionMenu } from "./rows/collection-menu.tsx";
import "./rows/rows.css";

/** A top-level object: there is one, so there is no list. */
export function SingletonView({ name }: { name: string }) {
  const overview = useOverview();
  const path = `/${encodeURIComponent(name)}`;
  const [isDirty, setDirty] = useState(false);
  const { record, refusal, reload } = useRecord(path, isDirty);
  const member = overview.members.find((one) => one.name === name);
  return (
    <div class="page">
      <div class="cluster page-head">
        <div>
          <div class="row head-title">
            <h1 class="cut">{name}</h1>
            {member && <CollectionMenu member={member} />}
          </div>
          <p class="lead">One object at {path}</p>
        </div>
      </div>
      {refusal && <Failure refusal={refusal} onRetry={reload} />}
      {!refusal && !record && <Loading what={name} />}
      {record && (
        <section class="card">
          <RecordEditor
            key={record.etag}
            name={name}
            path={path}
            record={record}
            onDirty={setDirty}
            onSaved={reload}
            onReread={reload}
            onCreate={async () => undefined}
          />
        </section>
      )}
    </div>
  );
}
