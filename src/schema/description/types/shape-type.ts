import type { DataShape, SchemaType } from "../../inference/data-shape.ts";
import { integerUpTo, type TypeOption, type ValueType } from "./value-type.ts";

/** Remarks on the fields of the outermost object. */
export type FieldRemark = (field: string, shape: DataShape) => string | undefined;

/** The type of values by the shape they have. */
export function shapeType(shape: DataShape, remark?: FieldRemark): ValueType {
  const options = shape.types.map((type) => optionOf(type, shape, remark));
  return shape.nulls > 0 && options.length > 0 ? [...options, { kind: "null" }] : options;
}

function optionOf(type: SchemaType, shape: DataShape, remark: FieldRemark = () => undefined): TypeOption {
  switch (type) {
    case "string":
      return { kind: "text", format: shape.format, choices: shape.choices };
    case "integer":
      return integerUpTo(Math.max(-shape.numbers.least, shape.numbers.greatest));
    case "number":
    case "boolean":
      return { kind: type };
    case "array":
      return { kind: "array", items: shape.items ? shapeType(shape.items) : [] };
    case "object":
      if (shape.isDictionary) return { kind: "dictionary", values: shapeType(shape.values) };
      return {
        kind: "record",
        fields: [...shape.fields].map(([name, field]) => ({
          name,
          type: shapeType(field),
          isRequired: shape.isRequired(name),
          remark: remark(name, field),
        })),
      };
  }
}
