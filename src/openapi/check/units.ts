import type { Ajv2020, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import type { DataValidationCxt } from "ajv/dist/types/index.js";
import { messageOf } from "../../base/errors.ts";
import { isJsonObject, type Json } from "../../base/json/json.ts";
import type { Placed } from "../../schema/references.ts";
import { ajv } from "../../schema/rules/ajv.ts";
import { TooCostly } from "../../schema/rules/pattern.ts";
import { createValidator, namesInherited, needsAllErrors } from "../../schema/rules/validator.ts";
import type { ApiDocument } from "../read/api-document.ts";
import {
  ANY_OF,
  NULL_OR_UNIT,
  ONE_OF,
  type Registry,
  type SchemaChoice,
  SchemaConverter,
  UNIT,
} from "./convert-schema.ts";
import type { Direction } from "./direction.ts";
import { HiddenProperties } from "./hidden-properties.ts";
import { errorsOfChoice } from "./nearest-branch.ts";

/** Whether all errors of a value are listed, or the first one only. */
export type Extent = "all" | "first";

interface Judging {
  readonly extent: Extent;
  readonly maxSteps: number;
  readonly mayPause: boolean;
}

/** The longest time to compile units without a pause. */
const COMPILING_MS = 5;

/** Other requests should run before more units are compiled. */
export class PauseDue extends Error {}

interface Unit {
  readonly schema: Placed;
  readonly hidden: ReadonlySet<string>;
  readonly compiled: { [extent in Extent]?: ValidateFunction };
}

interface Judge {
  (value: Json, context: DataValidationCxt): boolean;
  errors?: readonly ErrorObject[] | null;
}

/**
 * The schemas of a document that are used in one direction, cut apart at references: each unit is compiled when a value
 * first reaches it, so that a small value never waits for the whole of a large document.
 */
export class Units implements Registry {
  /** The parts that could not be checked, each once. */
  readonly notes = new Set<string>();
  readonly #converter: SchemaConverter;
  readonly #units: Unit[] = [];
  readonly #choices: SchemaChoice[] = [];
  readonly #numbers = new Map<unknown, Map<string, number>>();
  readonly #validators = new Map<string, Ajv2020>();
  /** How often units may still judge a part of the value: where schemas refer to themselves twice, it could take forever. */
  #left = 0;
  /** The time at which compiling may pause; undefined while it may not. */
  #pauseAt: number | undefined;
  #hasCompiled = false;

  constructor({ references, version }: Pick<ApiDocument, "references" | "version">, direction: Direction) {
    this.#converter = new SchemaConverter({
      references,
      registry: this,
      hidden: new HiddenProperties(references, direction),
      ignoresSiblings: version === "3.0",
    });
  }

  unit(given: Placed, hidden: ReadonlySet<string>): number {
    const schema = this.#converter.targetOf(given);
    const key = [...hidden].sort().join("\n");
    let known = this.#numbers.get(schema.value);
    if (!known) {
      known = new Map();
      this.#numbers.set(schema.value, known);
    }
    let number = known.get(key);
    if (number === undefined) {
      number = this.#units.push({ schema, hidden, compiled: {} }) - 1;
      known.set(key, number);
    }
    return number;
  }

  choice(choice: SchemaChoice): number {
    return this.#choices.push(choice) - 1;
  }

  note(place: string, what: string): void {
    this.notes.add(`${place}: ${what}`);
  }

  /**
   * Judges a value; returns the errors, none if it passes. Throws `TooCostly` after so many steps, and with `mayPause`,
   * `PauseDue` when units were compiled for a while and others are still to be: then it must be called again.
   */
  judge(unit: number, value: Json, { extent, maxSteps, mayPause }: Judging): readonly ErrorObject[] {
    this.#left = maxSteps;
    this.#pauseAt = mayPause ? performance.now() + COMPILING_MS : undefined;
    this.#hasCompiled = false;
    const isValid = this.#compiled(unit, extent);
    return isValid(value) ? [] : (isValid.errors ?? []);
  }

  #compiled(number: number, extent: Extent): ValidateFunction {
    const { compiled } = this.#units[number]!;
    return compiled[extent] ?? this.#compileNow(this.#units[number]!, extent);
  }

  #compileNow(unit: Unit, extent: Extent): ValidateFunction {
    if (this.#hasCompiled && this.#pauseAt !== undefined && performance.now() > this.#pauseAt) throw new PauseDue();
    const isValid = this.#compile(unit, extent);
    unit.compiled[extent] = isValid;
    this.#hasCompiled = true;
    return isValid;
  }

  #compile({ schema, hidden }: Unit, extent: Extent): ValidateFunction {
    const converted = this.#converter.convert(schema, hidden);
    const listsAll = extent === "all" || (isJsonObject(converted) && needsAllErrors(converted));
    const validator = this.#validatorFor(listsAll ? "all" : "first", namesInherited(converted));
    try {
      return validator.compile(converted);
    } catch (thrown) {
      this.note(schema.place, `is not checked: ${messageOf(thrown)}`);
      return validator.compile(true);
    }
  }

  #validatorFor(extent: Extent, ownProperties: boolean): Ajv2020 {
    const key = `${extent} ${ownProperties}`;
    const known = this.#validators.get(key);
    if (known) return known;
    const validator = createValidator(ajv.Ajv2020, { allErrors: extent === "all", ownProperties });
    const add = (keyword: string, judgeFor: (number: number) => Judge): void => {
      validator.addKeyword({ keyword, schemaType: "number", errors: "full", compile: judgeFor as never });
    };
    add(UNIT, (unit) => this.#judgeOf(unit, extent));
    add(NULL_OR_UNIT, (unit) => {
      const judge = this.#judgeOf(unit, extent);
      const judgeUnlessNull: Judge = (value, context) => {
        if (value === null || judge(value, context)) return true;
        judgeUnlessNull.errors = judge.errors ?? [];
        return false;
      };
      return judgeUnlessNull;
    });
    for (const keyword of [ONE_OF, ANY_OF]) add(keyword, (choice) => this.#judgeOfChoice(choice, extent));
    this.#validators.set(key, validator);
    return validator;
  }

  #judgeOf(unit: number, extent: Extent): Judge {
    const judge: Judge = (value, context) => {
      if (--this.#left < 0) throw new TooCostly("has too many parts to be judged");
      const isValid = this.#compiled(unit, extent);
      if (isValid(value, context)) return true;
      judge.errors = isValid.errors ?? [];
      return false;
    };
    return judge;
  }

  #judgeOfChoice(choice: number, extent: Extent): Judge {
    const { branches, isExclusive, discriminator } = this.#choices[choice]!;
    const judges = branches.map((unit) => this.#judgeOf(unit, extent));
    const judge: Judge = (value, context) => {
      const { instancePath } = context;
      const property = discriminator && isJsonObject(value) ? discriminator.property : undefined;
      const tag = property === undefined ? undefined : ownValue(value, property);
      const meant = typeof tag === "string" ? discriminator!.byValue.get(tag) : undefined;
      if (meant !== undefined) {
        const isValid = judges[meant]!(value, context);
        if (!isValid) judge.errors = judges[meant]!.errors ?? [];
        return isValid;
      }
      const failed: (readonly ErrorObject[])[] = [];
      const passed: number[] = [];
      for (const [at, one] of judges.entries()) {
        if (!one(value, context)) failed.push(one.errors ?? []);
        else if (!isExclusive) return true;
        else passed.push(at);
      }
      if (passed.length === 1) return true;
      if (passed.length > 1) judge.errors = [errorAt(instancePath, "oneOf", { passingSchemas: passed })];
      else if (property === undefined) judge.errors = errorsOfChoice(failed, instancePath, isExclusive);
      else
        judge.errors = [
          errorOfTag(
            instancePath,
            property,
            tag === undefined ? undefined : [...(discriminator?.byValue.keys() ?? [])],
          ),
        ];
      return false;
    };
    return judge;
  }
}

function ownValue(value: Json, property: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, property) ? value[property] : undefined;
}

/** An object that does not say which branch it belongs to, or names none of the allowed ones. */
function errorOfTag(at: string, property: string, allowedValues: readonly string[] | undefined): ErrorObject {
  if (!allowedValues) return errorAt(at, "required", { missingProperty: property });
  return errorAt(`${at}/${property.replaceAll("~", "~0").replaceAll("/", "~1")}`, "enum", { allowedValues });
}

function errorAt(instancePath: string, keyword: string, params: ErrorObject["params"]): ErrorObject {
  return { keyword, instancePath, schemaPath: "", params };
}
