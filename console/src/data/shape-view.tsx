import type { Route } from "../routes/route.ts";
import { lazy } from "../ui/lazy.tsx";
import type { ListQuery } from "./list-query.ts";
import type { RecordWindows } from "./record-windows.ts";
import type { BoardProps } from "./shapes/board.tsx";
import type { GalleryProps } from "./shapes/gallery.tsx";
import type { PlaceMapProps } from "./shapes/map.tsx";
import type { ShapeFields } from "./shapes/shapes.ts";
import type { Column } from "./table/columns.ts";
import type { Looks } from "./table/looks.ts";

const Gallery = lazy<GalleryProps>("the gallery", async () => (await import("./shapes/gallery.tsx")).Gallery);
const Board = lazy<BoardProps>("the board", async () => (await import("./shapes/board.tsx")).Board);
const PlaceMap = lazy<PlaceMapProps>("the map", async () => (await import("./shapes/map.tsx")).PlaceMap);

interface ShapeViewProps {
  /** `gallery`, `map`, or `board:` with its field. */
  readonly shape: string;
  readonly fields: ShapeFields;
  readonly collection: string;
  readonly idKey: string;
  readonly columns: readonly Column[];
  readonly looks: Looks;
  readonly records: RecordWindows;
  readonly query: ListQuery;
  readonly route: Extract<Route, { view: "data" }>;
}

/** The records in another form than a table. */
export function ShapeView({ shape, fields, looks, ...shared }: ShapeViewProps) {
  const { picture, place, choices } = fields;
  if (shape === "gallery" && picture !== undefined) return <Gallery {...shared} picture={picture} />;
  if (shape === "map" && place) return <PlaceMap {...shared} place={place} />;
  const field = choices.find((name) => shape === `board:${name}`);
  const look = field === undefined ? undefined : looks.get(field);
  if (field === undefined || look?.kind !== "badge") return null;
  return <Board {...shared} field={field} values={[...look.tones.keys()]} />;
}
