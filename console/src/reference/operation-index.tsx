import { formatRoute } from "../routes/route.ts";
import { go } from "../routes/use-route.ts";
import { plural } from "../ui/format.ts";
import { Method } from "../ui/method.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import type { Operation, Reference } from "./reference.ts";
import { search } from "./search.ts";

interface OperationIndexProps {
  readonly reference: Reference;
  readonly at: readonly string[];
  readonly text: string;
  readonly onSearch: (text: string) => void;
}

/** All operations and schemas by group, as links; a search narrows them down, and Enter opens the first. */
export function OperationIndex({ reference, at, text, onSearch }: OperationIndexProps) {
  const { groups, schemas } = search(reference, text);
  const count = groups.reduce((sum, { operations }) => sum + operations.length, 0);
  const first = groups[0]?.operations[0];
  const open = (event: SubmitEvent): void => {
    event.preventDefault();
    if (text === "") return;
    if (first) go({ view: "docs", at: [first.key] });
    else if (schemas[0] !== undefined) go({ view: "docs", at: ["schemas", schemas[0]] });
  };
  return (
    <nav class="docs-index" aria-label="Operations">
      <form class="docs-search" onSubmit={open}>
        <SearchBox label="Search the docs" value={text} onInput={onSearch} />
      </form>
      <p class="hint docs-count" role="status">
        {text !== "" &&
          (count + schemas.length === 0 ? "Nothing found. Try fewer words." : `${plural(count, "operation")}`)}
      </p>
      <div class="docs-groups">
        {groups.map(({ name, operations }) => (
          <section key={name} aria-label={name}>
            <h2 class="docs-group wrap">{name}</h2>
            <ul>
              {operations.map((operation) => (
                <li key={operation.key}>
                  <OperationLink operation={operation} isCurrent={at.length === 1 && at[0] === operation.key} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {schemas.length > 0 && (
          <section aria-label="Schemas">
            <h2 class="docs-group">Schemas</h2>
            <ul>
              {schemas.map((name) => (
                <li key={name}>
                  <a
                    class="docs-link"
                    href={formatRoute({ view: "docs", at: ["schemas", name] })}
                    aria-current={at[0] === "schemas" && at[1] === name ? "page" : undefined}
                  >
                    <span class="docs-brace" aria-hidden="true">
                      {"{ }"}
                    </span>
                    <span class="cut">{name}</span>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </nav>
  );
}

export function OperationLink({ operation, isCurrent }: { operation: Operation; isCurrent: boolean }) {
  const { key, method, path, summary, isDeprecated } = operation;
  return (
    <a
      class={isDeprecated ? "docs-link deprecated" : "docs-link"}
      href={formatRoute({ view: "docs", at: [key] })}
      aria-current={isCurrent ? "page" : undefined}
      title={summary === "" ? undefined : summary}
    >
      <Method name={method} isShort />
      <span class="cut">{path}</span>
    </a>
  );
}
