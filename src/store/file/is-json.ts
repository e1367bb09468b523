/** Whether content is complete JSON, unlike that of a half-written file. */
export function isJson(content: Buffer): boolean {
  try {
    JSON.parse(content.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}
