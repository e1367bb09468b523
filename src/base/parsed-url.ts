/** An absolute address in its parts; undefined for any other text. */
export function parsedUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
