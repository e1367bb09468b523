import { useState } from "preact/hooks";
import { useOverview } from "../api/use-overview.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { Method } from "../ui/method.tsx";
import { ContentView } from "./content-view.tsx";
import { splitFilters } from "./filters.ts";
import { bodyExample, collectionsOf, type ExampleSources, firstTrial } from "./operation-examples.ts";
import { FilterTable, ParameterList } from "./parameter-list.tsx";
import type { Operation, Parameter, ParameterPlace, Reference } from "./reference.ts";
import { ResponseList } from "./response-list.tsx";
import type { Trial } from "./trial.ts";
import { TryIt, withParameter } from "./try-it.tsx";
import { type Samples, useSamples } from "./use-samples.ts";

const NO_SAMPLES: Samples = {};

interface OperationPageProps {
  readonly reference: Reference;
  readonly operation: Operation;
}

export function OperationPage({ reference, operation }: OperationPageProps) {
  const overview = useOverview();
  const samples = useSamples(collectionsOf(operation));
  const sources = { reference, overview, operation, samples: samples ?? NO_SAMPLES };
  const [edited, setEdited] = useState<Trial>();
  const trial = edited ?? firstTrial(sources);
  const use = (parameter: Parameter): void => setEdited(withParameter(sources, trial, parameter));
  return (
    <article class="docs-operation" aria-labelledby="operation">
      <OperationHead operation={operation} basePath={reference.basePath} />
      <div class="docs-trial">
        <TryIt sources={sources} trial={trial} onChange={setEdited} />
      </div>
      <div class="docs-text">
        <Parameters sources={sources} onUse={use} />
        {operation.bodies.length > 0 && (
          <section class="column docs-section" aria-label="Body">
            <h3>Body {operation.isBodyRequired && <span class="required">required</span>}</h3>
            <Markdown text={operation.bodyDescription} look="soft" />
            <ContentView
              root={reference.root}
              contents={operation.bodies}
              label="body of the request"
              exampleOf={(content) => bodyExample(sources, content)}
            />
          </section>
        )}
        <ResponseList sources={sources} />
      </div>
    </article>
  );
}

function OperationHead({ operation, basePath }: { operation: Operation; basePath: string }) {
  const { method, path, summary, description, isDeprecated, group } = operation;
  const whole = `${basePath}${path}`;
  return (
    <header class="docs-title">
      <p class="hint">{group}</p>
      <h2 id="operation" class="wrap">
        {summary === "" ? `${method} ${path}` : summary}
      </h2>
      <div class="row docs-address">
        <Method name={method} />
        <code class="wrap">{whole}</code>
        {isDeprecated && <span class="badge warn">deprecated</span>}
        <CopyButton text={whole} label="Copy path" />
      </div>
      <Markdown text={description} />
    </header>
  );
}

const TITLES: readonly (readonly [ParameterPlace, string])[] = [
  ["path", "Path"],
  ["query", "Query"],
  ["header", "Headers"],
  ["cookie", "Cookies"],
];

function Parameters({ sources, onUse }: { sources: ExampleSources; onUse: (parameter: Parameter) => void }) {
  const { fields, others } = splitFilters(sources.operation.parameters);
  return (
    <>
      {TITLES.map(([place, title]) => (
        <>
          {place === "query" && <FilterTable fields={fields} onUse={onUse} />}
          <ParameterList
            key={place}
            root={sources.reference.root}
            title={title}
            parameters={others.filter((parameter) => parameter.place === place)}
            onUse={onUse}
          />
        </>
      ))}
    </>
  );
}
