import { useMemo, useState } from "preact/hooks";
import type { JsonObject } from "../../api/json.ts";
import { dataVersion } from "../../api/live-data.ts";
import { lastOf, refusalIn } from "../../api/resource.ts";
import { useStore } from "../../api/store.ts";
import { useResource } from "../../api/use-resource.ts";
import { labelOf, NAMING } from "../../records/relations.ts";
import { formatRoute, type Route } from "../../routes/route.ts";
import { Button } from "../../ui/button.tsx";
import { formatCount } from "../../ui/format.ts";
import { Failure } from "../../ui/notice.tsx";
import { useWidth } from "../../ui/use-width.ts";
import { formatListQuery, type ListQuery, listPath } from "../list-query.ts";
import { idIn } from "../table/reference-labels.ts";
import { fetchWindow } from "../use-records.ts";
import { type PlaceFields, valueAt } from "./shapes.ts";
import { project, worldPath } from "./world.ts";
import "./shapes.css";

export interface PlaceMapProps {
  readonly collection: string;
  readonly idKey: string;
  readonly place: PlaceFields;
  readonly query: ListQuery;
  readonly route: Extract<Route, { view: "data" }>;
}

const MOST_POINTS = 1000;
/** The radius of a point, in pixels of the screen. */
const POINT_PIXELS = 8;
/** In degrees: closer, the outlines of the land say nothing. */
const LEAST_SPAN = 24;

interface Point {
  readonly id: string;
  readonly title: string;
  readonly x: number;
  readonly y: number;
}

/** The records on a map of the world, each a link to itself. */
export function PlaceMap({ collection, idKey, place, query, route }: PlaceMapProps) {
  const version = useStore(dataVersion);
  const [isWhole, setWhole] = useState(false);
  const [region, room] = useWidth<HTMLElement>();
  const roots = [place.lat, place.lon].map((path) => path.split(".")[0] ?? path);
  const asked = formatListQuery({ ...query, fields: [...new Set([idKey, ...roots, ...NAMING])], grouping: undefined });
  const path = listPath(collection, asked, `_limit=${MOST_POINTS}`);
  const [resource, retry] = useResource((signal) => fetchWindow(path, signal), [path, version]);
  const land = useMemo(worldPath, []);
  const { records = [], total = 0 } = lastOf(resource) ?? {};
  const refusal = refusalIn(resource);
  if (refusal) return <Failure refusal={refusal} onRetry={retry} />;
  const points = records.flatMap((record) => pointOf(record, idKey, place) ?? []);
  const [left, top, width, height] = isWhole ? WHOLE : boundsOf(points);
  const radius = (width * POINT_PIXELS) / Math.max(room, LEAST_ROOM);
  return (
    <section class="map-region" ref={region} aria-label={`Map of ${collection}`}>
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing is no fieldset */}
      <svg class="map" viewBox={`${left} ${top} ${width} ${height}`} role="group" aria-label="Places">
        <path class="land" d={land} />
        {points.map(({ id, title, x, y }) => (
          <a key={id} href={formatRoute({ ...route, record: { kind: "id", id } })} aria-label={title}>
            <title>{title}</title>
            <circle cx={x} cy={y} r={radius} />
          </a>
        ))}
      </svg>
      <p class="cluster map-foot hint">
        {formatCount(points.length)} of {formatCount(total)} records have a place
        {total > records.length && ` among the first ${formatCount(records.length)}`}
        <Button look="small" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Fit the places" : "Whole world"}
        </Button>
      </p>
    </section>
  );
}

/** Narrower than any window: the width before it is measured. */
const LEAST_ROOM = 280;
const WHOLE: Bounds = [0, 0, 360, 180];
type Bounds = readonly [left: number, top: number, width: number, height: number];

function pointOf(record: JsonObject, idKey: string, place: PlaceFields): Point | undefined {
  const [lat, lon] = [valueAt(record, place.lat), valueAt(record, place.lon)];
  const id = idIn(record[idKey]);
  if (typeof lat !== "number" || typeof lon !== "number" || id === undefined) return undefined;
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) return undefined;
  const [x, y] = project(lon, lat);
  return { id, title: labelOf(record) ?? id, x, y };
}

/** Around all points, twice as wide as high. */
function boundsOf(points: readonly Point[]): Bounds {
  if (points.length === 0) return WHOLE;
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const width = Math.min(360, Math.max(LEAST_SPAN, (right - left) * 1.2, (bottom - top) * 2.4));
  return [(left + right - width) / 2, (top + bottom - width / 2) / 2, width, width / 2];
}
