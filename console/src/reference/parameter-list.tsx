import type { JsonObject } from "../api/json.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { InlineMarkdown } from "../ui/markdown.tsx";
import type { FieldFilters } from "./filters.ts";
import type { Parameter } from "./reference.ts";
import { schemaFacts } from "./schema-facts.ts";
import { Values } from "./schema-tree.tsx";
import { isSendable, keyOf } from "./trial.ts";

interface ParameterListProps {
  readonly root: JsonObject;
  readonly title: string;
  readonly parameters: readonly Parameter[];
  /** Puts a parameter into the request to try; absent where there is none. */
  readonly onUse?: (parameter: Parameter) => void;
}

export function ParameterList({ root, title, parameters, onUse }: ParameterListProps) {
  if (parameters.length === 0) return null;
  return (
    <section class="column docs-section" aria-label={title}>
      <h3>{title}</h3>
      <ul class="schema-fields">
        {parameters.map((parameter) => (
          <ParameterItem key={keyOf(parameter)} root={root} parameter={parameter} {...(onUse && { onUse })} />
        ))}
      </ul>
    </section>
  );
}

interface ParameterItemProps {
  readonly root: JsonObject;
  readonly parameter: Parameter;
  readonly onUse?: (parameter: Parameter) => void;
}

function ParameterItem({ root, parameter, onUse }: ParameterItemProps) {
  const { name, description, isRequired, isDeprecated, schema } = parameter;
  const { type, limits, values } = schemaFacts(root, schema);
  return (
    <li class="docs-parameter">
      <div>
        <p class="schema-line">
          <code class="schema-name wrap">{name}</code>
          <span class="schema-type">{type}</span>
          {isRequired && <span class="required">required</span>}
          {isDeprecated && <span class="hint">deprecated</span>}
          {limits.length > 0 && <span class="hint">{limits.join(", ")}</span>}
        </p>
        {description !== "" && (
          <p class="schema-words">
            <InlineMarkdown text={description} />
          </p>
        )}
        <Values values={values} />
      </div>
      {onUse && !isRequired && isSendable(parameter) && (
        <IconButton label={`Try with ${name}`} icon="plus" onClick={() => onUse(parameter)} />
      )}
    </li>
  );
}

interface FilterTableProps {
  readonly fields: readonly FieldFilters[];
  readonly onUse: (parameter: Parameter) => void;
}

/** Filters by field: a button for each operator puts it into the request to try. */
export function FilterTable({ fields, onUse }: FilterTableProps) {
  if (fields.length === 0) return null;
  return (
    <section class="column docs-section" aria-label="Filters">
      <h3>Filters</h3>
      <ul class="schema-fields">
        {fields.map(({ field, filters }) => (
          <li key={field}>
            <p class="schema-line">
              <code class="schema-name wrap">{field}</code>
              <span class="schema-type">{String(filters[0]?.parameter.schema.type ?? "")}</span>
            </p>
            <div class="docs-operators">
              {filters.map(({ parameter, words }) => (
                <button
                  key={parameter.name}
                  type="button"
                  class="chip-button"
                  title={`${field} ${words}`}
                  onClick={() => onUse(parameter)}
                >
                  <code>{parameter.name}</code>
                  <span>{words}</span>
                </button>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
