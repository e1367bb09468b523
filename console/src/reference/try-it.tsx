import { useEffect, useRef } from "preact/hooks";
import { API_URL } from "../api/base.ts";
import { credentialHeaders } from "../api/credentials.ts";
import { CopyAs } from "../request/copy-as-card.tsx";
import { readyRequest } from "../request/request-draft.ts";
import { openInBuilder } from "../request/request-state.ts";
import { ResponseCard } from "../request/response-card.tsx";
import { isWrite, useSending } from "../request/use-sending.ts";
import { Button } from "../ui/button.tsx";
import { Form } from "../ui/form.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { Method } from "../ui/method.tsx";
import { Select } from "../ui/select.tsx";
import { bodyExample, type ExampleSources, parameterExample } from "./operation-examples.ts";
import { ParameterInput } from "./parameter-input.tsx";
import type { Parameter } from "./reference.ts";
import { draftOfTrial, isSendable, keyOf, type Trial } from "./trial.ts";

/** As much of a response is seen without scrolling. */
const IN_SIGHT = 240;

interface TryItProps {
  readonly sources: ExampleSources;
  readonly trial: Trial;
  readonly onChange: (trial: Trial) => void;
}

/** A request of the operation, ready to be sent to this server, and the response. */
export function TryIt({ sources, trial, onChange }: TryItProps) {
  const { reference, overview, operation } = sources;
  const { method, parameters, bodies } = operation;
  const { outcome, isBusy, send } = useSending(overview.members);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a small screen the response would appear out of sight.
    const top = place.current?.getBoundingClientRect().top ?? 0;
    if (outcome && top > innerHeight - IN_SIGHT) place.current?.scrollIntoView({ block: "start" });
  }, [outcome]);
  const draft = draftOfTrial(operation, reference.basePath, trial);
  const ready = readyRequest(draft, API_URL, Object.entries(credentialHeaders()));
  const set = (key: string, value: string): void => onChange({ ...trial, values: { ...trial.values, [key]: value } });
  const content = bodies.find(({ type }) => type === trial.type);
  return (
    <div class="stack">
      <Form class="card stack trial" aria-labelledby="try-it" onSubmit={() => send(ready)}>
        <div class="cluster card-head">
          <h3 id="try-it">Try it</h3>
          <Button look="small" onClick={() => openInBuilder(draft)}>
            Open as request
          </Button>
          <Button look="small primary" isBusy={isBusy}>
            Send
          </Button>
        </div>
        <p class="trial-address">
          <Method name={method} />
          <code class="wrap">{ready.url.slice(API_URL.length)}</code>
        </p>
        {parameters.map((parameter) => {
          const key = keyOf(parameter);
          const value = trial.values[key];
          return value === undefined ? null : (
            <ParameterInput
              key={key}
              parameter={parameter}
              value={value}
              onInput={(next) => set(key, next)}
              onRemove={parameter.isRequired ? undefined : () => onChange(without(trial, key))}
            />
          );
        })}
        <AddParameter sources={sources} trial={trial} onChange={onChange} />
        {trial.type !== undefined && (
          <div class="field">
            <div class="cluster trial-body">
              <label for="trial-body">Body</label>
              {bodies.length > 1 && (
                <Select
                  class="mono"
                  aria-label="Type of the body"
                  value={trial.type}
                  options={bodies.map(({ type }) => [type, type] as const)}
                  onChoose={(chosen) => {
                    const next = bodies.find(({ type }) => type === chosen);
                    if (next) onChange({ ...trial, type: next.type, body: bodyExample(sources, next) });
                  }}
                />
              )}
              {content && trial.body !== bodyExample(sources, content) && (
                <button
                  type="button"
                  class="link"
                  onClick={() => onChange({ ...trial, body: bodyExample(sources, content) })}
                >
                  Example
                </button>
              )}
            </div>
            <textarea
              id="trial-body"
              class="mono"
              rows={6}
              spellcheck={false}
              value={trial.body}
              onInput={(event) => onChange({ ...trial, body: event.currentTarget.value })}
            />
          </div>
        )}
        {isWrite(method) && <p class="hint">Sends a real request. A change of data can be undone.</p>}
      </Form>
      {(outcome || isBusy) && (
        <div ref={place}>
          <ResponseCard outcome={outcome} isBusy={isBusy} />
        </div>
      )}
      <CopyAs request={ready} />
    </div>
  );
}

/** A menu of the parameters that are not sent yet. */
function AddParameter({ sources, trial, onChange }: TryItProps) {
  const rest = sources.operation.parameters.filter(
    (parameter) => isSendable(parameter) && trial.values[keyOf(parameter)] === undefined,
  );
  if (rest.length === 0) return null;
  return (
    <Labelled label="Add a parameter" look="visually-labelled">
      <Select
        value=""
        options={[
          ["", "Add a parameter…"],
          ...rest.map(
            (parameter) =>
              [keyOf(parameter), parameter.place === "header" ? `${parameter.name} (header)` : parameter.name] as const,
          ),
        ]}
        onChoose={(chosen) => {
          const parameter = rest.find((one) => keyOf(one) === chosen);
          if (parameter) onChange(withParameter(sources, trial, parameter));
        }}
      />
    </Labelled>
  );
}

/** Adds a parameter to the request and moves the focus to its input. */
export function withParameter(sources: ExampleSources, trial: Trial, parameter: Parameter): Trial {
  const key = keyOf(parameter);
  requestAnimationFrame(() => {
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-parameter="${CSS.escape(key)}"]`)?.focus());
  });
  if (trial.values[key] !== undefined) return trial;
  return { ...trial, values: { ...trial.values, [key]: parameterExample(sources, parameter) } };
}

function without(trial: Trial, key: string): Trial {
  const { [key]: _left, ...values } = trial.values;
  return { ...trial, values };
}
