import { stringifyJson } from "../../base/json/json.ts";
import { createProjection } from "../../query/fields.ts";
import type { FieldSelection } from "../../query/query.ts";
import type { Rendering, StoredRecord } from "../../store/stored-record.ts";

/** The most selections to know again. */
const MAX_SELECTIONS = 100;
/** The most records of a list to keep texts of: pages are read again and again, a list of everything is not. */
const MAX_KEPT = 1000;

/** The longest selection to know again. */
const MAX_LENGTH = 1000;

/** By selection: records know a text again by the object that rendered it. */
const renderings = new Map<string, Rendering>();

/** Renders the selected fields of each of these records as JSON. */
export function projectedTexts(selection: FieldSelection, count: number): (record: StoredRecord) => string {
  const known = knownRendering(selection);
  if (known && count <= MAX_KEPT) return (record) => record.textIn(known);
  const { render } = known ?? createRendering(selection);
  return ({ value }) => render(value);
}

/** Renders the selected fields: the same for the same selection, unless that is very long. */
function knownRendering(selection: FieldSelection): Rendering | undefined {
  const key = `${selection.drops ? "drop" : "keep"} ${selection.paths.map(({ text }) => text).join("\0")}`;
  const known = renderings.get(key);
  if (known || key.length > MAX_LENGTH) return known;
  if (renderings.size >= MAX_SELECTIONS) renderings.clear();
  const rendering = createRendering(selection);
  renderings.set(key, rendering);
  return rendering;
}

function createRendering(selection: FieldSelection): Rendering {
  const project = createProjection(selection);
  return { render: (value) => stringifyJson(project(value)) };
}
