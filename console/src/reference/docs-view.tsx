import { useEffect, useRef, useState } from "preact/hooks";
import { API_URL, IS_IN_WORKER, pathHere } from "../api/base.ts";
import { plural } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Empty, Failure, Loading } from "../ui/notice.tsx";
import { OperationIndex } from "./operation-index.tsx";
import { OperationPage } from "./operation-page.tsx";
import type { Reference } from "./reference.ts";
import { SchemaPage } from "./schema-page.tsx";
import { StartPage } from "./start-page.tsx";
import { useReference } from "./use-reference.ts";
import "./docs-view.css";

interface DocsProps {
  readonly at: readonly string[];
}

/** The API docs: made from the description of the server, with requests to try. */
export function DocsView({ at }: DocsProps) {
  const [loaded, reload] = useReference();
  return (
    <div class="docs">
      {loaded.kind === "loading" && <Loading what="the API docs" />}
      {loaded.kind === "failed" && <Failure refusal={loaded.refusal} onRetry={reload} />}
      {loaded.kind === "ready" && <Docs reference={loaded.value} at={at} />}
    </div>
  );
}

function Docs({ reference, at }: DocsProps & { reference: Reference }) {
  const [text, setText] = useState("");
  const page = useRef<HTMLDivElement>(null);
  const place = at.join("/");
  useEffect(() => {
    page.current?.scrollTo(0, 0);
    page.current?.closest("main")?.scrollTo(0, 0);
    document.querySelector(".docs-index [aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [place]);
  return (
    <div class="docs-frame">
      <Head reference={reference} isStart={at.length === 0} />
      <div class={at.length === 0 ? "docs-columns" : "docs-columns is-open"}>
        <OperationIndex reference={reference} at={at} text={text} onSearch={setText} />
        <div class="docs-page" ref={page}>
          <Page reference={reference} at={at} />
        </div>
      </div>
    </div>
  );
}

/** Reads the document in the browser, so it may be on this machine. */
function editorFor(document: string): string {
  return `https://editor.swagger.io/?url=${encodeURIComponent(document)}`;
}

function Head({ reference, isStart }: { reference: Reference; isStart: boolean }) {
  const { title, version, isOwn, groups } = reference;
  const count = groups.reduce((sum, { operations }) => sum + operations.length, 0);
  const elsewhere = isStart ? "button small" : "button small docs-elsewhere";
  return (
    <div class="cluster page-head docs-head">
      <div>
        <h1>API docs</h1>
        <p class="lead cut">
          {isOwn ? "" : `${title} ${version} · `}
          {plural(count, "operation")}
          <span class="docs-key">
            {" · "}
            <kbd>/</kbd> to search
          </span>
        </p>
      </div>
      <div class="cluster actions">
        {!isStart && (
          <a class="button small docs-back" href="#/docs">
            All operations
          </a>
        )}
        <a class={elsewhere} href={pathHere("/__openapi.json")} download="openapi.json">
          Download OpenAPI
          <Icon name="save" />
        </a>
        {!IS_IN_WORKER && (
          <a class={elsewhere} href={editorFor(`${API_URL}/__openapi.json`)} target="_blank" rel="noreferrer">
            Open in Swagger Editor
            <Icon name="link" />
          </a>
        )}
      </div>
    </div>
  );
}

function Page({ reference, at }: DocsProps & { reference: Reference }) {
  const [first, second] = at;
  if (first === undefined) return <StartPage reference={reference} />;
  if (first === "schemas" && second !== undefined) {
    if (reference.schemas.includes(second)) return <SchemaPage key={second} reference={reference} name={second} />;
  } else {
    const operation = reference.groups.flatMap(({ operations }) => operations).find(({ key }) => key === first);
    if (operation) {
      return <OperationPage key={operation.key} reference={reference} operation={operation} />;
    }
  }
  return (
    <Empty icon="docs" title="Not part of this API">
      <p>{at.at(-1)} is not described. It may have been renamed or removed.</p>
      <a class="button" href="#/docs">
        All operations
      </a>
    </Empty>
  );
}
