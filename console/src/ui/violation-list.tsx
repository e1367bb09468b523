import { pathOf, type Violation } from "../api/violation.ts";

interface ViolationListProps {
  readonly violations: readonly Violation[];
  /** Leads to the field; undefined where a violation has none to lead to. */
  readonly linkFor?: (violation: Violation) => (() => void) | undefined;
  /** Whether texts, numbers and booleans are listed, too: where they are not in sight. */
  readonly showsValues?: boolean;
}

/** The rules that a write would have broken, each with the way to its value. */
export function ViolationList({ violations, linkFor, showsValues = false }: ViolationListProps) {
  return (
    <ul class="violations">
      {violations.map((violation, index) => {
        const path = pathOf(violation) || "The record";
        const follow = linkFor?.(violation);
        return (
          <li key={index}>
            {follow ? (
              <button type="button" class="link mono" onClick={follow}>
                {path}
              </button>
            ) : (
              <span class={violation.pointer === "" ? undefined : "mono"}>{path}</span>
            )}{" "}
            {violation.message}
            {showsValues && violation.given !== undefined && typeof violation.given !== "object" && (
              <>
                , not <code>{JSON.stringify(violation.given)}</code>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
