import { useState } from "preact/hooks";
import { contentAddress, isPicture, type StoredFile } from "../../records/stored-file.ts";
import { Icon } from "../../ui/icon.tsx";

/** A picture, a player or a page, as the file is one, and a link to its content. */
export function FilePreview({ file }: { readonly file: StoredFile }) {
  const address = contentAddress(file);
  return (
    <>
      <Shown file={file} address={address} />
      <a class="button small field-link" href={address} target="_blank" rel="noreferrer">
        <Icon name="link" />
        Open
        <span class="unseen"> {file.name}</span>
      </a>
    </>
  );
}

function Shown({ file, address }: { readonly file: StoredFile; readonly address: string }) {
  const [isBroken, setBroken] = useState(false);
  const { type, name } = file;
  if (isBroken) return null;
  if (isPicture(file)) return <img class="field-picture" src={address} alt={name} onError={() => setBroken(true)} />;
  const media = { src: address, controls: true, preload: "metadata", "aria-label": name } as const;
  if (type.startsWith("video/")) return <video {...media} onError={() => setBroken(true)} />;
  if (type.startsWith("audio/")) return <audio {...media} onError={() => setBroken(true)} />;
  // Elsewhere the browser would save the file instead.
  if (type === "application/pdf" && navigator.pdfViewerEnabled) return <iframe src={address} title={name} />;
  return null;
}
