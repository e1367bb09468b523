import { useEffect, useState } from "preact/hooks";
import type { Json } from "../../api/json.ts";
import { contentAddress, isPicture, storedFilesIn } from "../../records/stored-file.ts";
import { formatRoute, type Route } from "../../routes/route.ts";
import { Button } from "../../ui/button.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import type { RecordWindows } from "../record-windows.ts";
import type { Column } from "../table/columns.ts";
import { idIn } from "../table/reference-labels.ts";
import { CardText } from "./card-text.tsx";
import "./shapes.css";

export interface GalleryProps {
  readonly collection: string;
  readonly idKey: string;
  readonly picture: string;
  readonly columns: readonly Column[];
  readonly records: RecordWindows;
  readonly route: Extract<Route, { view: "data" }>;
}

const STEP = 60;

/** The address of the picture in a value: its own, or that of a stored file. */
function pictureIn(value: Json | undefined): string {
  const file = storedFilesIn(value)?.find(isPicture);
  if (file) return contentAddress(file);
  return typeof value === "string" ? value : "";
}

/** The records by their pictures. */
export function Gallery({ collection, idKey, picture, columns, records, route }: GalleryProps) {
  const [shown, setShown] = useState(STEP);
  const total = records.total ?? 0;
  const end = Math.min(shown, total);
  useEffect(() => records.look(0, end));
  const places = Array.from({ length: end }, (_, at) => records.at(at)).filter((record) => record !== undefined);
  return (
    <ScrollRegion look="scroller gallery-region" label={`Gallery of ${collection}`}>
      <ul class="gallery">
        {places.map((record) => {
          const id = idIn(record[idKey]);
          const href = id === undefined ? undefined : formatRoute({ ...route, record: { kind: "id", id } });
          return (
            <li key={id}>
              <a class="gallery-card" href={href}>
                <img
                  src={pictureIn(record[picture])}
                  alt=""
                  loading="lazy"
                  decoding="async"
                  referrerpolicy="no-referrer"
                />
                <CardText {...{ record, idKey, columns }} without={[picture]} />
              </a>
            </li>
          );
        })}
      </ul>
      {end < total && (
        <p class="row more">
          <Button onClick={() => setShown(shown + STEP)}>Show more</Button>
        </p>
      )}
    </ScrollRegion>
  );
}
