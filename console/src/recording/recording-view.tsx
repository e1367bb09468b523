import { useState } from "preact/hooks";
import { askJson } from "../api/ask.ts";
import { lastOf } from "../api/resource.ts";
import { useResource } from "../api/use-resource.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { plural } from "../ui/format.ts";
import { Method } from "../ui/method.tsx";
import { Empty, NotReady, Problem } from "../ui/notice.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { useNow } from "../ui/use-now.ts";
import { useReport } from "../ui/use-report.ts";
import "./recording-view.css";

/** The response of `GET /__record`. */
interface Recording {
  readonly upstream: string;
  readonly exchanges: number;
  readonly operations: readonly { readonly method: string; readonly path: string; readonly count: number }[];
  readonly collections: readonly Counted[];
  readonly redactions: readonly Counted[];
  readonly skipped: readonly { readonly reason: string; readonly count: number }[];
}

interface Counted {
  readonly name: string;
  readonly count: number;
}

interface Saved {
  readonly files: readonly string[];
  /** The command line that serves the recording. */
  readonly serve: string;
}

/** The table grows while the app is in use. */
const EVERY_MS = 2_000;

/** The recording of a real API so far, with a button that saves it. */
export function RecordingView() {
  const now = useNow(EVERY_MS);
  const [resource, reload] = useResource<Recording>((signal) => askJson("GET", "/__record", { signal }), [now]);
  const [saved, setSaved] = useState<Saved>();
  const { refusal, attempt } = useReport();
  const recording = lastOf(resource);
  const save = (): Promise<void> =>
    attempt(async () => {
      const done = await askJson<Saved>("POST", "/__record", { body: { stop: false } });
      setSaved(done);
      return { text: `Saved to ${done.files.join(" and ")}.` };
    });
  return (
    <div class="page">
      <PageHead
        title="Record"
        lead={recording ? `${plural(recording.exchanges, "request")} to ${recording.upstream}` : "A real API as a mock"}
        actions={
          recording && (
            <Button look="primary" onClick={save}>
              Save
            </Button>
          )
        }
      />
      {refusal && <Problem refusal={refusal} />}
      <NotReady resource={resource} what="the recording" onRetry={reload} />
      {saved && <ServeLine command={saved.serve} />}
      {recording?.exchanges === 0 && (
        <Empty icon="traffic" title="Nothing seen yet">
          <p>Point your app at this server and use it. Its requests go to {recording.upstream}.</p>
        </Empty>
      )}
      {recording && recording.exchanges > 0 && <Seen recording={recording} />}
    </div>
  );
}

function ServeLine({ command }: { command: string }) {
  return (
    <div class="card row serve-line">
      <span>Serve it with</span>
      <code>{command}</code>
      <CopyButton text={command} />
    </div>
  );
}

function Seen({ recording }: { recording: Recording }) {
  const { operations, collections, redactions, skipped } = recording;
  const reasons = skipped.map(({ reason, count }) => ({ name: reason, count }));
  return (
    <div class="recorded">
      <section class="card flush" aria-labelledby="recorded-operations">
        <h2 id="recorded-operations">{plural(operations.length, "operation")}</h2>
        <table>
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col" class="number">
                Requests
              </th>
            </tr>
          </thead>
          <tbody>
            {operations.map(({ method, path, count }) => (
              <tr key={`${method} ${path}`}>
                <td>
                  <Method name={method} /> <code>{path}</code>
                </td>
                <td class="number">{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Counts id="recorded-collections" title={plural(collections.length, "collection")} list={collections} />
      <Counts id="recorded-redactions" title="Redacted" list={redactions} />
      <Counts id="recorded-skipped" title="Not recorded" list={reasons} />
    </div>
  );
}

function Counts({ id, title, list }: { id: string; title: string; list: readonly Counted[] }) {
  if (list.length === 0) return null;
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <dl class="counts">
        {list.map(({ name, count }) => (
          <div key={name} class="row">
            <dt>{name}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
