const VERSION_FIRST = /^\uFEFF?(?:\s+|#[^\n]*\n|---[^\n]*\n)*(?:openapi|swagger)[ \t]*:/;

/** Whether a text is YAML that begins with the version of an OpenAPI document: some files have it under the name `.json`. */
export function isYamlDocument(text: string): boolean {
  return VERSION_FIRST.test(text);
}
