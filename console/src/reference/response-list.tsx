import { useState } from "preact/hooks";
import { InlineMarkdown } from "../ui/markdown.tsx";
import { ContentView } from "./content-view.tsx";
import { contentExample, type ExampleSources } from "./operation-examples.ts";
import { ParameterList } from "./parameter-list.tsx";
import type { DescribedResponse } from "./reference.ts";
import { bodyText } from "./trial.ts";

/** The responses by status; the first success is open. */
export function ResponseList({ sources }: { sources: ExampleSources }) {
  const { responses } = sources.operation;
  const first = responses.find(({ status }) => /^2/.test(status)) ?? responses[0];
  if (responses.length === 0) return null;
  return (
    <section class="column docs-section" aria-label="Responses">
      <h3>Responses</h3>
      <div class="response-list">
        {responses.map((response) => (
          <Response key={response.status} sources={sources} response={response} startsOpen={response === first} />
        ))}
      </div>
    </section>
  );
}

interface ResponseProps {
  readonly sources: ExampleSources;
  readonly response: DescribedResponse;
  readonly startsOpen: boolean;
}

function Response({ sources, response, startsOpen }: ResponseProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const { root } = sources.reference;
  const { status, description, headers, contents } = response;
  const isPlain = headers.length === 0 && contents.length === 0;
  const head = (
    <>
      <span class={`badge ${moodOf(status)}`}>{status === "default" ? "other" : status}</span>
      <span class={isOpen ? "wrap" : "cut"}>
        <InlineMarkdown text={description} />
      </span>
    </>
  );
  if (isPlain) return <p class="response-item plain">{head}</p>;
  return (
    <details class="response-item" open={startsOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{head}</summary>
      {isOpen && (
        <div class="column response-inside">
          <ContentView
            root={root}
            contents={contents}
            label={`body of ${status}`}
            exampleOf={(content) => bodyText(content.type, contentExample(sources, content, "response"))}
          />
          <ParameterList root={root} title={`Headers of ${status}`} parameters={headers} />
        </div>
      )}
    </details>
  );
}

function moodOf(status: string): string {
  return { 2: "good", 3: "plain", 4: "warn", 5: "bad" }[status.charAt(0)] ?? "plain";
}
