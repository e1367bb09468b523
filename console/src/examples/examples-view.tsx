import { useState } from "preact/hooks";
import { askJson } from "../api/ask.ts";
import { MOUNT } from "../api/base.ts";
import type { Pair } from "../api/parameters.ts";
import { lastOf } from "../api/resource.ts";
import { useResource } from "../api/use-resource.ts";
import { draftOfRequest } from "../request/request-draft.ts";
import { openInBuilder } from "../request/request-state.ts";
import { plural } from "../ui/format.ts";
import { Method } from "../ui/method.tsx";
import { Empty, NotReady } from "../ui/notice.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { type ExampleEntry, type MockEntry, matchingOperations, type OperationEntry } from "./mock-index.ts";
import "./examples-view.css";

/** Drawn at once; the search finds the others. */
const MOST_OPERATIONS = 200;

/** The examples that a hosted server responds with: each can be opened as the request that leads to it. */
export function ExamplesView() {
  const [loaded, retry] = useResource<{ readonly mocks?: readonly MockEntry[] }>(
    (signal) => askJson("GET", "/", { signal }),
    [],
  );
  const [wanted, setWanted] = useState("");
  const index = lastOf(loaded);
  const mocks = index?.mocks ?? [];
  const operations = mocks.flatMap((mock) => mock.operations ?? []);
  return (
    <div class="page">
      <PageHead
        title="Examples"
        lead={index?.mocks ? plural(operations.length, "operation") : "The responses that are served here"}
      />
      <NotReady resource={loaded} what="the examples" onRetry={retry} />
      {index && !index.mocks && (
        <Empty icon="page" title="The root has an example of its own">
          <p>It is sent in place of the list of examples.</p>
        </Empty>
      )}
      {operations.length > 1 && <SearchBox label="Find an example" value={wanted} onInput={setWanted} />}
      {mocks.map((mock) => (
        <MockCard key={mock.name} mock={mock} wanted={wanted} />
      ))}
    </div>
  );
}

function MockCard({ mock, wanted }: { mock: MockEntry; wanted: string }) {
  const { name, source, access, problem, notes, operations } = mock;
  const found = matchingOperations(operations ?? [], wanted);
  return (
    <section class="column card" aria-label={name === "" ? "Examples" : `/${name}`}>
      <div class="cluster">
        <h2>{name === "" ? source : `/${name}`}</h2>
        {access === "private" && <span class="badge">private</span>}
        {name !== "" && <span class="soft">{source}</span>}
      </div>
      {problem !== undefined && <p class="example-problem">Not served: {problem}</p>}
      {notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
      {!operations && problem === undefined && (
        <p class="hint">
          Its examples need an API key. Send it in the header <code>X-Api-Key</code>.
        </p>
      )}
      {operations && found.length === 0 && <p class="hint">None matches.</p>}
      <ul>
        {found.slice(0, MOST_OPERATIONS).map((operation) => (
          <Operation key={`${operation.method} ${operation.path}`} operation={operation} />
        ))}
      </ul>
      {found.length > MOST_OPERATIONS && (
        <p class="hint">And {plural(found.length - MOST_OPERATIONS, "more operation")}: search for them.</p>
      )}
    </section>
  );
}

function Operation({ operation }: { operation: OperationEntry }) {
  const { method, path, examples } = operation;
  return (
    <li class="cluster example-operation">
      <Method name={method} />
      <code class="example-path">{path}</code>
      {examples.length === 0 && <span class="soft">no saved example</span>}
      {examples.map((example) => (
        <button
          key={`${example.status} ${example.name} ${example.type}`}
          type="button"
          class="example-name"
          title={`${example.type ?? ""}: open as a request`}
          onClick={() => openExample(operation, example)}
        >
          <StatusBadge status={example.status} />
          <bdi class="cut">{example.name}</bdi>
        </button>
      ))}
    </li>
  );
}

/** Where there are several, headers say which one is meant. */
function openExample({ method, url, examples }: OperationEntry, { name, status }: ExampleEntry): void {
  const { pathname, search } = new URL(url);
  const chosen: Pair[] = [
    ["x-mock-response-code", String(status)],
    ["x-mock-response-name", name],
  ];
  const path = pathname.startsWith(MOUNT) ? pathname.slice(MOUNT.length) : pathname;
  openInBuilder(draftOfRequest(method, `${path}${search}`, examples.length > 1 ? chosen : []));
}
