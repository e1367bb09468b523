import type { Json } from "../../base/json/json.ts";
import type { Work } from "../../base/slices.ts";
import type { Placed } from "../../schema/references.ts";
import { judgeWithin, type Violation } from "../../schema/rules/violation.ts";
import type { ApiDocument } from "../read/api-document.ts";
import type { Direction } from "./direction.ts";
import { PauseDue, Units } from "./units.ts";

/** Finds the violations of a schema in a value; none if it passes. At most 50. */
export interface ValueCheck {
  (value: Json): readonly Violation[];
  /** The same, with pauses while parts of the schema are compiled for the first time. */
  inTurns(value: Json): Work<readonly Violation[]>;
}

/** The schemas of a document, to check values with. */
export interface SchemaBook {
  /** The check of a schema, the same one every time. It is compiled when it is first used, and only as far as that. */
  validator(schema: Placed, direction: Direction): ValueCheck;
  /** The parts that cannot be checked, and why; grows as schemas are used. */
  readonly notes: readonly string[];
}

/** Beyond it, a value is not judged. */
const MAX_VALUES = 400_000;
/** Beyond it, only the first violation is looked for. */
const MAX_LISTED = 5_000;
/** How many schemas may judge each value on average. */
const STEPS_OF_VALUE = 64;
const FIRST_STEPS = 10_000;
const MAX_STEPS = 1_000_000;

/** Creates the checks of a document's schemas, in which OpenAPI 3.0, 3.1 and 3.2 mean the same as for code generators. */
export function createSchemaBook(document: Pick<ApiDocument, "references" | "version">): SchemaBook {
  const units = { request: new Units(document, "request"), response: new Units(document, "response") };
  const checks = { request: new Map<number, ValueCheck>(), response: new Map<number, ValueCheck>() };
  const known = { request: new Map<unknown, ValueCheck>(), response: new Map<unknown, ValueCheck>() };
  const checkOf = (schema: Placed, direction: Direction): ValueCheck => {
    const unit = units[direction].unit(schema, NO_NAMES);
    const check = checks[direction].get(unit) ?? createCheck(units[direction], unit);
    checks[direction].set(unit, check);
    known[direction].set(schema.value, check);
    return check;
  };
  return {
    validator: (schema, direction) => known[direction].get(schema.value) ?? checkOf(schema, direction),
    get notes() {
      return [...units.request.notes, ...units.response.notes];
    },
  };
}

const NO_NAMES: ReadonlySet<string> = new Set();

function createCheck(units: Units, unit: number): ValueCheck {
  const judge = (value: Json, mayPause: boolean): readonly Violation[] =>
    judgeWithin(MAX_VALUES, value, (_, count) => {
      const maxSteps = Math.min(MAX_STEPS, FIRST_STEPS + STEPS_OF_VALUE * count);
      return units.judge(unit, value, { extent: count > MAX_LISTED ? "first" : "all", maxSteps, mayPause });
    });
  return Object.assign((value: Json) => judge(value, false), {
    *inTurns(value: Json): Work<readonly Violation[]> {
      for (;;) {
        try {
          return judge(value, true);
        } catch (thrown) {
          if (!(thrown instanceof PauseDue)) throw thrown;
          yield;
        }
      }
    },
  });
}
