import { API_URL, IS_IN_WORKER, ONLY_PAGES } from "../api/base.ts";
import type { Overview } from "../api/overview.ts";
import { useOverview } from "../api/use-overview.ts";
import { draftOfRequest, METHODS } from "../request/request-draft.ts";
import { openInBuilder } from "../request/request-state.ts";
import { formatRoute } from "../routes/route.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { plural } from "../ui/format.ts";
import { JsonCode } from "../ui/json-code.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { Method } from "../ui/method.tsx";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { operatorExamples } from "./operator-examples.ts";
import type { Group, Reference } from "./reference.ts";

const ERROR = `{
  "error": "Record not found",
  "message": "There is no record 99 in \\"products\\".",
  "code": "RECORD_NOT_FOUND"
}`;

/** The first page: where the API is, its groups and, for the served data, the query language and errors. */
export function StartPage({ reference }: { reference: Reference }) {
  const overview = useOverview();
  const { title, version, description, basePath, groups, isOwn } = reference;
  const url = `${API_URL}${basePath}`;
  return (
    <div class="docs-start">
      <section class="card docs-intro" aria-labelledby="docs-intro">
        <h2 id="docs-intro">{isOwn || title === "" ? "Your API" : `${title} ${version}`}</h2>
        <div class="row docs-address">
          <code class="wrap">{url}</code>
          <CopyButton text={url} label="Copy address" />
        </div>
        {IS_IN_WORKER && <p class="soft">{ONLY_PAGES}</p>}
        <Markdown text={description} />
      </section>
      <ul class="docs-cards">
        {groups.map((group) => (
          <GroupCard key={group.name} group={group} about={aboutOf(group, reference, overview)} />
        ))}
      </ul>
      {isOwn && (
        <>
          <Operators />
          <section class="card" aria-labelledby="docs-errors">
            <h2 id="docs-errors">Errors</h2>
            <p class="soft">
              Every error has this body. The message says what to change; let your code decide by <code>code</code>.
            </p>
            <ScrollRegion look="code" label="Body of an error">
              <JsonCode text={ERROR} />
            </ScrollRegion>
          </section>
        </>
      )}
    </div>
  );
}

/** The number of records now, or the words of the document. */
function aboutOf({ name, description }: Group, { isOwn }: Reference, { members }: Overview): string {
  const member = isOwn ? members.find((one) => one.name === name) : undefined;
  if (!member) return description;
  return member.kind === "collection" ? plural(member.count, "record") : "One object";
}

function GroupCard({ group, about }: { group: Group; about: string }) {
  const { name, operations } = group;
  const used = new Set(operations.map(({ method }) => method));
  const methods = [...METHODS.filter((method) => used.delete(method)), ...used];
  return (
    <li class="card docs-card">
      <h3 class="wrap">
        <a href={formatRoute({ view: "docs", at: [operations[0]?.key ?? ""] })}>{name}</a>
      </h3>
      <Markdown text={about} look="soft" />
      <p class="docs-methods">
        <span class="hint">{plural(operations.length, "operation")}</span>
        {methods.map((method) => (
          <Method key={method} name={method} />
        ))}
      </p>
    </li>
  );
}

/** The operators of filters, each with a request that opens in the builder. */
function Operators() {
  const overview = useOverview();
  const examples = operatorExamples(overview);
  if (examples.length === 0) return null;
  return (
    <section class="card" aria-labelledby="docs-operators">
      <h2 id="docs-operators">Filter operators</h2>
      <p class="soft">
        Put an operator behind the name of a field. <code>!</code> in front of one means the opposite. Click an example
        to open it as a request.
      </p>
      <ul class="operator-list">
        {examples.map(({ operator, does, address }) => (
          <li key={operator}>
            <code class="schema-name">{operator}</code>
            <span class="soft">{does}</span>
            <button type="button" class="link" onClick={() => openInBuilder(draftOfRequest("GET", address))}>
              <code>{decodeURIComponent(address)}</code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
