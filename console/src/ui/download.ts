/** Saves a text as a file, as a browser saves downloads. */
export function download(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has to read it first.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
