import { createRandom, seedFor } from "../../base/random.ts";

const BYTES = 64;

/** Small files of one colour, by the ending of their media type. */
const FILES: Readonly<Record<string, string>> = {
  png: "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAYAAADED76LAAAAI0lEQVR4AdzKMQ0AAAwCwQZ5VVd7VQMOYOeT3w57Tzcm1AEEAAD//yOnY6YAAAAGSURBVAMA2pQVoZP1V9UAAAAASUVORK5CYII=",
  jpeg: "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAH/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAABP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AKAcG//Z",
  webp: "UklGRjAAAABXRUJQVlA4ICQAAACwAQCdASoIAAgABABoJaACdLoABdQAAJv4oBSOJ3fXwBT7gAA=",
  gif: "R0lGODlhAQABAIAAAEqQ2f///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
};

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="#4a90d9"/></svg>\n';

/** Beginnings of files that a text in base64 may hold. */
const SIGNATURES: readonly string[] = ["89504e470d0a1a0a", "ffd8ff", "47494638", "52494646", "25504446", "504b0304"];

/** Whether bodies of a media type are bytes rather than text. */
export function isBinaryType(type: string): boolean {
  const bare = bareType(type);
  if (/^(image|audio|video|font)\//.test(bare)) return !bare.endsWith("+xml");
  return /^application\/(octet-stream|pdf|zip|gzip|x-(tar|gzip|zip[\w-]*|7z-compressed|protobuf)|protobuf|vnd\.(ms-|openxmlformats|apple)[\w.-]*)$/.test(
    bare,
  );
}

/** A body of a media type that is neither JSON nor text: a picture that can be shown, a file that can be opened, or bytes. */
export function sampleBytes(type: string, seed: number, seedText: string): Buffer {
  const bare = bareType(type);
  if (bare === "image/svg+xml") return Buffer.from(SVG);
  if (bare === "application/pdf") return pdf();
  if (bare === "application/zip") return emptyZip();
  const kind = bare.startsWith("image/") ? bare.slice("image/".length).replace("jpg", "jpeg") : "";
  if (Object.hasOwn(FILES, kind)) return Buffer.from(FILES[kind]!, "base64");
  if (bare === "image/*") return Buffer.from(FILES.png!, "base64");
  const random = createRandom(seedFor(seed, seedText));
  return Buffer.from(Array.from({ length: BYTES }, () => Math.floor(random() * 256)));
}

/** An example of a binary body: the bytes themselves where it is a file in base64, else its characters. */
export function givenBytes(example: string): Buffer {
  const base64 = example.replace(/^data:[^,]*;base64,/, "");
  const isBase64 = base64.length > 0 && base64.length % 4 === 0 && /^[A-Za-z0-9+/\s]+={0,2}$/.test(base64);
  const bytes = isBase64 ? Buffer.from(base64, "base64") : undefined;
  const isFile = bytes !== undefined && SIGNATURES.some((start) => bytes.toString("hex", 0, 8).startsWith(start));
  return isFile || base64 !== example ? Buffer.from(base64, "base64") : Buffer.from(example);
}

function bareType(type: string): string {
  return type.split(";", 1)[0]!.trim().toLowerCase();
}

/** One empty page. The table at the end has the position of each object. */
function pdf(): Buffer {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
  ];
  let text = "%PDF-1.4\n";
  const rows = objects.map((object, at) => {
    const position = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(position).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  const start = text.length;
  text += `xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}`;
  return Buffer.from(`${text}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`);
}

/** The record that ends every archive, with no files before it. */
function emptyZip(): Buffer {
  return Buffer.concat([Buffer.from("PK\x05\x06"), Buffer.alloc(18)]);
}
