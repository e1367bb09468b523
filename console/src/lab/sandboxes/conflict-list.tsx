import { inSandbox } from "../../api/base.ts";
import { isJsonObject, isSameJson, type Json, type JsonObject } from "../../api/json.ts";
import { recordName } from "../../api/record-change.ts";
import type { Conflict } from "../../api/sandbox.ts";
import { nestedDifferences } from "../../records/comparison/nested-differences.ts";
import { valueText } from "../../records/comparison/value-text.ts";
import { formatRoute, listRoute, recordRoute } from "../../routes/route.ts";
import { plural } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";

/** Records that both sides have created can have new ids; nothing else can be mended here. */
export function canRenumber(conflicts: readonly Conflict[]): boolean {
  return (
    conflicts.length > 0 &&
    conflicts.every(({ base, main, sandbox }) => base === null && main !== null && sandbox !== null)
  );
}

/** Records that both sides have changed: each in its three versions, field by field. */
export function ConflictList({ conflicts, sandbox }: { conflicts: readonly Conflict[]; sandbox: string }) {
  return (
    <>
      <div class="problem" role="alert">
        <Icon name="warning" />
        <div>
          <strong>{plural(conflicts.length, "conflict")} with the main data</strong>
          <p>
            {canRenumber(conflicts)
              ? "Both sides created records with the same ids. Promoting gives those of the sandbox new ones."
              : "Both sides changed these records. Edit them on one side until they are equal, then promote."}
          </p>
        </div>
      </div>
      {conflicts.map((conflict) => (
        <ConflictCard key={recordName(conflict)} conflict={conflict} sandbox={sandbox} />
      ))}
    </>
  );
}

function ConflictCard({ conflict, sandbox }: { conflict: Conflict; sandbox: string }) {
  const { collection, id } = conflict;
  const name = recordName(conflict);
  const editor = formatRoute(id === null ? listRoute(collection) : recordRoute(collection, String(id)));
  return (
    <section class="change" aria-label={`${name}, conflict`}>
      <div class="row change-head">
        <h3 class="cut" title={name}>
          {name}
        </h3>
        <span class="badge removed">conflict</span>
        <span class="edit-links">
          <a href={inSandbox(undefined, editor)}>Edit in the main data</a>
          <a href={inSandbox(sandbox, editor)}>Edit in {sandbox}</a>
        </span>
      </div>
      <table class="change-fields">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">Main data</th>
            <th scope="col" title={sandbox}>
              {sandbox}
            </th>
          </tr>
        </thead>
        <tbody>
          {fieldsOf(conflict).map(({ field, versions }) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              {versions.map((version, at) => (
                <td key={at} class={lookOf(versions, at)}>
                  {valueText(version)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Marks the versions that are not as they were before. */
function lookOf(versions: ConflictField["versions"], at: number): string | undefined {
  const version = versions[at];
  const isChanged = !isSameJson(version, versions[0]);
  if (version === undefined) return isChanged ? "none differs" : "none";
  return isChanged ? "differs" : undefined;
}

interface ConflictField {
  readonly field: string;
  /** Before, in the main data, in the sandbox. */
  readonly versions: readonly (Json | undefined)[];
}

/** The fields in which at least two of the three versions differ. */
function fieldsOf({ base, main, sandbox }: Conflict): ConflictField[] {
  const [was, theirs, own] = [base, main, sandbox].map((version) => (isJsonObject(version) ? version : {})) as [
    JsonObject,
    JsonObject,
    JsonObject,
  ];
  const fields = [...nestedDifferences(was, theirs), ...nestedDifferences(was, own), ...nestedDifferences(theirs, own)];
  const names = [...new Set(fields.map(({ field }) => field))];
  return names.map((field) => ({ field, versions: [was, theirs, own].map((version) => valueAt(version, field)) }));
}

function valueAt(record: JsonObject, field: string): Json | undefined {
  if (Object.hasOwn(record, field)) return record[field];
  const dot = field.indexOf(".");
  const inner = dot === -1 ? undefined : record[field.slice(0, dot)];
  return isJsonObject(inner) ? valueAt(inner, field.slice(dot + 1)) : undefined;
}
