import { isJsonObject, type Json } from "../../base/json/json.ts";
import type { HashedField } from "../../store/record-rules.ts";
import { within } from "../pointer.ts";
import type { Violation } from "./violation.ts";

type Judge = (record: Json) => readonly Violation[];

/** Judges records by what was sent for the field, which no violation shows. Rules say nothing about a hash. */
export function judgeAsSent(judge: Judge, { field, sentWith, isHash }: HashedField): Judge {
  const place = within("", field);
  const isInside = ({ pointer }: Violation): boolean => pointer === place || pointer.startsWith(`${place}/`);
  const shown = (violation: Violation): Violation => {
    const { given, ...others } = violation;
    if (given === undefined || isInside(violation)) return others;
    return violation.pointer === "" ? { ...others, given: without(given, field) } : violation;
  };
  return (record) => {
    if (!isJsonObject(record)) return judge(record);
    const sent = sentWith(record);
    if (sent !== undefined) return judge({ ...record, [field]: sent }).map(shown);
    const violations = judge(record);
    return (isHash(record[field]) ? violations.filter((one) => !isInside(one)) : violations).map(shown);
  };
}

function without(given: Json, field: string): Json {
  if (!isJsonObject(given)) return given;
  const { [field]: _, ...others } = given;
  return others;
}
