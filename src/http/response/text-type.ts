const TEXT_TYPE = /^text\/|\b(?:json|xml|javascript|x-www-form-urlencoded|graphql|yaml)\b/i;

/** Whether the value of a `Content-Type` header names something that people can read. */
export function isTextType(contentType: string): boolean {
  return TEXT_TYPE.test(contentType);
}
