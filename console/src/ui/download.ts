/** The browser has to read the file before it is released. */
const RELEASE_MS = 60_000;

/** Saves a file, as a browser saves downloads. */
export function download(name: string, file: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), RELEASE_MS);
}
