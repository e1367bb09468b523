import { useState } from "preact/hooks";
import type { Json, JsonObject } from "../api/json.ts";
import { formatRoute } from "../routes/route.ts";
import { plural } from "../ui/format.ts";
import { InlineMarkdown } from "../ui/markdown.tsx";
import { type SchemaFacts, type SchemaProperty, schemaFacts } from "./schema-facts.ts";

interface SchemaTreeProps {
  readonly root: JsonObject;
  readonly schema: Json | undefined;
  /** Whether the schema itself has a line, or only what is in it. */
  readonly isNamed?: boolean;
}

/** The fields of a schema with their types. What is inside a field is drawn when it is opened. */
export function SchemaTree({ root, schema, isNamed = true }: SchemaTreeProps) {
  const facts = schemaFacts(root, schema);
  return (
    <div class="schema">
      {isNamed && (
        <p class="schema-line">
          <TypeName facts={facts} />
          <Limits facts={facts} />
        </p>
      )}
      {isNamed && facts.description !== "" && <Words text={facts.description} />}
      <Values values={facts.values} />
      <Inside root={root} facts={facts} />
    </div>
  );
}

function Inside({ root, facts }: { root: JsonObject; facts: SchemaFacts }) {
  return (
    <>
      {facts.properties.length > 0 && (
        <ul class="schema-fields">
          {facts.properties.map((property) => (
            <Property key={property.name} root={root} property={property} />
          ))}
        </ul>
      )}
      {facts.choices.length > 1 && (
        <>
          <p class="hint">{facts.choiceWords}:</p>
          <ul class="schema-fields">
            {facts.choices.map((choice, index) => (
              <Choice key={index} root={root} schema={choice} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Property({ root, property }: { root: JsonObject; property: SchemaProperty }) {
  const { name, schema, isRequired } = property;
  const facts = schemaFacts(root, schema);
  return (
    <li>
      <p class="schema-line">
        <code class="schema-name wrap">{name}</code>
        <TypeName facts={facts} />
        {isRequired && <span class="required">required</span>}
        <Limits facts={facts} />
      </p>
      {facts.description !== "" && <Words text={facts.description} />}
      <Values values={facts.values} />
      <Nested root={root} facts={facts} />
    </li>
  );
}

function Choice({ root, schema }: { root: JsonObject; schema: Json }) {
  const facts = schemaFacts(root, schema);
  return (
    <li>
      <p class="schema-line">
        <TypeName facts={facts} />
        <Limits facts={facts} />
      </p>
      {facts.description !== "" && <Words text={facts.description} />}
      <Values values={facts.values} />
      <Nested root={root} facts={facts} />
    </li>
  );
}

/** A schema may contain itself: only what was opened exists. */
function Nested({ root, facts }: { root: JsonObject; facts: SchemaFacts }) {
  const [isOpen, setOpen] = useState(false);
  const count = facts.properties.length;
  if (count === 0 && facts.choices.length < 2) return null;
  return (
    <details class="schema-nested" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{count > 0 ? plural(count, "field") : `${facts.choices.length} forms`}</summary>
      {isOpen && <Inside root={root} facts={facts} />}
    </details>
  );
}

function TypeName({ facts }: { facts: SchemaFacts }) {
  const { type, name } = facts;
  const start = name === "" ? -1 : type.lastIndexOf(name);
  if (start === -1) return <span class="schema-type">{type}</span>;
  return (
    <span class="schema-type">
      {type.slice(0, start)}
      <a href={formatRoute({ view: "docs", at: ["schemas", name] })}>{name}</a>
      {type.slice(start + name.length)}
    </span>
  );
}

function Limits({ facts }: { facts: SchemaFacts }) {
  return facts.limits.length === 0 ? null : <span class="hint">{facts.limits.join(", ")}</span>;
}

function Words({ text }: { text: string }) {
  return (
    <p class="schema-words">
      <InlineMarkdown text={text} />
    </p>
  );
}

/** More values than this are folded away. */
const SHOWN_VALUES = 8;

export function Values({ values }: { values: readonly Json[] }) {
  const [isWhole, setWhole] = useState(false);
  if (values.length === 0) return null;
  const shown = isWhole ? values : values.slice(0, SHOWN_VALUES);
  return (
    <p class="schema-values">
      {shown.map((value) => (
        <code key={JSON.stringify(value)}>{typeof value === "string" ? value : JSON.stringify(value)}</code>
      ))}
      {shown.length < values.length && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {values.length - shown.length} more
        </button>
      )}
    </p>
  );
}
