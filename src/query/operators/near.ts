import { StandinError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { meetsByObject, someObjectAt } from "../condition.ts";
import { areOnEarth, type Coordinates, coordinatesOf, haversine, haversineOf, haversineSql } from "../distance.ts";
import { defineOperator } from "../operator.ts";
import type { Path } from "../path.ts";
import type { Condition, Order } from "../query.ts";

const METRES: Readonly<Record<string, number>> = { m: 1, km: 1000, mi: 1609.344 };
const DEGREES = "\\s*(-?\\d+(?:\\.\\d+)?)\\s*";
const PLACE = new RegExp(`^${DEGREES},${DEGREES}$`);
const CIRCLE = new RegExp(`^${DEGREES},${DEGREES},\\s*(\\d+(?:\\.\\d+)?)\\s*(${Object.keys(METRES).join("|")})?\\s*$`);

export const nearOperator = defineOperator({
  name: "near",
  operand: "text",
  operandName: "circle",
  words: "is near",
  description: "is a place with `lat` and `lon` that is no farther away than the distance",
  example: { field: "headquarter", value: "41.9,12.5,50km" },
  menu: { fits: "object", rank: 1 },
  create: nearness,
  meets: meetsByObject,
  sql: (database, { path, values }) => {
    const within = values.map((value) => {
      const { centre, limit } = circleOf(value, path.text);
      return database.sql`coalesce(${haversineSql(database, path, centre)} <= ${limit}::float8, false)`;
    });
    return within.reduce((any, one) => database.sql`(${any} OR ${one})`);
  },
  samples: ({ objects }) =>
    objects.flatMap((object) => {
      const place = coordinatesOf(object);
      return place ? [`${place.latitude},${place.longitude},50km`] : [];
    }),
  order: distanceFrom,
});

function nearness(path: Path, values: readonly string[], parameter: string): Condition {
  const circles = values.map((value) => circleOf(value, parameter));
  const holdsObject = (object: JsonObject): boolean => {
    const place = coordinatesOf(object);
    return place !== undefined && circles.some(({ centre, limit }) => haversine(centre, place) <= limit);
  };
  return { operator: "near", comparison: nearOperator, path, values, holds: () => false, holdsObject, isSlow: false };
}

/** Records by the distance of the nearest place at the path. */
function distanceFrom(path: Path, argument: string): Order {
  const [, latitude, longitude] = PLACE.exec(argument) ?? [];
  const centre = { latitude: Number(latitude), longitude: Number(longitude) };
  if (!areOnEarth(centre)) {
    const given = argument === "" ? "near" : `near(${argument})`;
    throw new StandinError(
      "QUERY_INVALID",
      `_sort=${path.text}:${given}: write a latitude (-90 to 90) and a longitude (-180 to 180), for example _sort=${path.text}:near(41.9,12.5).`,
    );
  }
  return {
    text: `near(${centre.latitude},${centre.longitude})`,
    valueOf: (record) => {
      let least: number | undefined;
      someObjectAt(record, path, (object) => {
        const place = coordinatesOf(object);
        if (place) least = Math.min(haversine(centre, place), least ?? Number.POSITIVE_INFINITY);
        return false;
      });
      return least;
    },
    sql: (database) => haversineSql(database, path, centre),
  };
}

interface Circle {
  readonly centre: Coordinates;
  /** The haversine of its radius. */
  readonly limit: number;
}

function circleOf(value: string, parameter: string): Circle {
  const [, latitude, longitude, distance, unit = "km"] = CIRCLE.exec(value) ?? [];
  const centre = { latitude: Number(latitude), longitude: Number(longitude) };
  const metres = METRES[unit];
  if (metres !== undefined && areOnEarth(centre)) return { centre, limit: haversineOf(Number(distance) * metres) };
  throw new StandinError(
    "QUERY_INVALID",
    `${parameter}=${value}: write a latitude (-90 to 90), a longitude (-180 to 180) and a distance in m, km or mi, for example 41.9,12.5,50km.`,
  );
}
