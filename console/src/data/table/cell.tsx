import { useState } from "preact/hooks";
import type { Json } from "../../api/json.ts";
import { contentAddress, isPicture, type StoredFile, storedFilesIn } from "../../records/stored-file.ts";
import { cellText } from "../../ui/cell-text.ts";
import { decimalPad } from "./decimals.ts";
import type { Look } from "./looks.ts";
import type { Label } from "./reference-labels.ts";
import { exactTime, relativeTime } from "./relative-time.ts";
import { isColour, isImage, linkOf, toneOf } from "./value-looks.ts";

const LONGEST_BADGE = 40;
/** A cell shows no more elements of a list. */
const MOST_CHIPS = 8;

export interface CellProps {
  readonly field: string;
  /** Undefined if the record lacks the field. */
  readonly value: Json | undefined;
  readonly look: Look;
  /** Where a click leads: the record, or the one that it refers to. */
  readonly href: string | undefined;
  /** Of the referenced record. */
  readonly label: Label | undefined;
  /** Digits behind the decimal point that this column makes room for. */
  readonly digits: number;
  readonly now: number;
}

/** One value of a record, in the look of its column if it fits. */
export function Cell({ field, value, look, href, label, digits, now }: CellProps) {
  if (value === undefined || value === null) return <span class="nothing">{value === null ? "null" : ""}</span>;
  if (href) return <KeyCell text={cellText(value)} href={href} label={label} />;
  if (Array.isArray(value) && value.length > 0 && value.every(isScalar)) return <ListCell values={value} />;
  const files = look.kind === "file" ? storedFilesIn(value) : undefined;
  if (files) return <FilesCell files={files} />;
  if (typeof value === "object") return <span class="nested">{cellText(value)}</span>;
  if (typeof value === "number" && look.kind === "number") return <NumberCell value={value} digits={digits} />;
  if (typeof value === "boolean" && look.kind === "boolean") return <BooleanCell isOn={value} />;
  if (typeof value === "string" && value !== "") {
    const { kind } = look;
    if (kind === "date" || kind === "date-time") return <TimeCell text={value} kind={kind} now={now} />;
    if (kind === "colour" && isColour(value)) return <ColourCell colour={value} />;
    if (kind === "image" && isImage(value, field)) return <ImageCell key={value} url={value} name={fileName(value)} />;
    if (look.kind === "badge" && value.length <= LONGEST_BADGE) {
      return <bdi class={`tone tone-${look.tones.get(value) ?? toneOf(value)}`}>{cellText(value)}</bdi>;
    }
  }
  const link = typeof value === "string" ? linkOf(value) : undefined;
  if (link !== undefined) return <LinkCell text={cellText(value)} href={link} />;
  // Each value on its own decides its direction, so that right-to-left text does not turn its neighbours around.
  return <bdi>{cellText(value)}</bdi>;
}

function KeyCell({ text, href, label }: { text: string; href: string; label: Label | undefined }) {
  if (label?.kind === "missing") {
    return (
      <>
        {text} <span class="missing">· not found</span>
      </>
    );
  }
  return (
    <a href={href}>
      {text}
      {label?.name !== undefined && (
        <>
          {" · "}
          <bdi class="label">{cellText(label.name)}</bdi>
        </>
      )}
    </a>
  );
}

/** In a tab of its own: the list stays as it is. */
function LinkCell({ text, href }: { text: string; href: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" title={text}>
      <bdi>{text.replace(/^https?:\/\/(www\.)?/i, "")}</bdi>
    </a>
  );
}

function ListCell({ values }: { values: readonly Json[] }) {
  return (
    <span class="chips">
      {values.slice(0, MOST_CHIPS).map((value, at) => (
        <bdi key={at} class="tone tone-0">
          {cellText(value)}
        </bdi>
      ))}
      {values.length > MOST_CHIPS && <span class="nothing">and {values.length - MOST_CHIPS} more</span>}
    </span>
  );
}

function isScalar(value: Json): boolean {
  return value !== null && typeof value !== "object" && value !== "";
}

function NumberCell({ value, digits }: { value: number; digits: number }) {
  const pad = decimalPad(value, digits);
  return <span data-pad={pad || undefined}>{String(value)}</span>;
}

function BooleanCell({ isOn }: { isOn: boolean }) {
  return (
    <span class={isOn ? "switch is-on" : "switch"}>
      <span class="unseen">{String(isOn)}</span>
    </span>
  );
}

function TimeCell({ text, kind, now }: { text: string; kind: "date" | "date-time"; now: number }) {
  const relative = relativeTime(text, kind, now);
  if (relative === undefined) return <bdi>{cellText(text)}</bdi>;
  return (
    <time dateTime={text} title={exactTime(text, kind)}>
      {relative}
    </time>
  );
}

function ColourCell({ colour }: { colour: string }) {
  return (
    <span class="colour">
      <span class="swatch" style={{ backgroundColor: colour }} />
      {colour}
    </span>
  );
}

/** Fetched when it comes into sight. Hosts of pictures do not learn from where they were asked. */
function ImageCell({ url, name }: { url: string; name: string }) {
  const [isBroken, setBroken] = useState(false);
  return (
    <span class="picture" title={url.startsWith("data:") ? undefined : url}>
      {!isBroken && (
        <img
          src={url}
          alt=""
          width={28}
          height={28}
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          onError={() => setBroken(true)}
        />
      )}
      <bdi class="cut">{name}</bdi>
    </span>
  );
}

function FilesCell({ files }: { files: readonly StoredFile[] }) {
  return (
    <>
      {files.slice(0, MOST_CHIPS).map((file, at) => {
        const name = cellText(file.name);
        const key = `${at} ${file.sha256}`;
        if (isPicture(file)) return <ImageCell key={key} url={contentAddress(file)} name={name} />;
        return <bdi key={key}>{name} </bdi>;
      })}
    </>
  );
}

/** The last step of an address; of one without steps, the host. */
function fileName(url: string): string {
  if (url.startsWith("data:")) return url.slice("data:".length, url.search(/[;,]/));
  const [path = ""] = url.split(/[?#]/, 1);
  return cellText(path.replace(/\/+$/, "").split("/").at(-1) || url);
}
