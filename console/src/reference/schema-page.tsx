import { CopyButton } from "../ui/copy-button.tsx";
import { JsonCode } from "../ui/json-code.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { exampleOf } from "./example.ts";
import { OperationLink } from "./operation-index.tsx";
import { objectIn, textIn } from "./reading.ts";
import type { Operation, Reference } from "./reference.ts";
import { SchemaTree } from "./schema-tree.tsx";
import { useSamples } from "./use-samples.ts";

interface SchemaPageProps {
  readonly reference: Reference;
  readonly name: string;
}

/** A schema of the document: its fields, an example, and the operations that name it. */
export function SchemaPage({ reference, name }: SchemaPageProps) {
  const { root } = reference;
  const schema = objectIn(objectIn(objectIn(root.components).schemas)[name]);
  const users = reference.groups.flatMap(({ operations }) => operations).filter((operation) => names(operation, name));
  const collection = reference.isOwn ? (users[0]?.group ?? "") : "";
  const sample = useSamples([collection])?.[collection];
  const example = (isRecord(name) ? sample : undefined) ?? exampleOf(root, schema, "response");
  const text = example === undefined ? "" : JSON.stringify(example, null, 2);
  return (
    <article class="docs-operation" aria-labelledby="schema">
      <header class="docs-title">
        <p class="hint">Schemas</p>
        <h2 id="schema" class="wrap">
          {name}
        </h2>
        <Markdown text={textIn(schema.description)} />
      </header>
      <div class="docs-text">
        <section class="column docs-section" aria-label="Fields">
          <h3>Fields</h3>
          <SchemaTree root={root} schema={{ ...schema, description: "" }} />
        </section>
        {users.length > 0 && (
          <section class="column docs-section" aria-label="Used by">
            <h3>Used by</h3>
            <ul>
              {users.map((operation) => (
                <li key={operation.key}>
                  <OperationLink operation={operation} isCurrent={false} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      <div class="docs-trial">
        {text !== "" && (
          <section class="card" aria-labelledby="schema-example">
            <div class="cluster card-head">
              <h3 id="schema-example">Example</h3>
              <CopyButton text={text} />
            </div>
            <ScrollRegion look="code" label={`Example of ${name}`}>
              <JsonCode text={text} />
            </ScrollRegion>
          </section>
        )}
      </div>
    </article>
  );
}

/** Whether a schema of the server's own description is that of records as they are returned. */
function isRecord(name: string): boolean {
  return !name.includes(".") && name !== "Error";
}

function names({ bodies, responses }: Operation, schema: string): boolean {
  const mark = JSON.stringify(`#/components/schemas/${schema}`);
  return [...bodies, ...responses.flatMap(({ contents }) => contents)].some((content) =>
    JSON.stringify(content.schema ?? null).includes(mark),
  );
}
