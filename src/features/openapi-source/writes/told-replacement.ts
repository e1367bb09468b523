import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";

/** "Replaces the tag", "Overwrite a resource" */
const REPLACES = /(?:^|[.:] )(?:fully |completely )?(?:replace|overwrite)s?\b/i;
/**
 * "Updates the entire configuration", "by supplying all values of the user", "This call would replace all old members",
 * "If not set, the description will be removed"
 */
const OF_ALL =
  /\b(?:entire|whole|full(?:y)? updates?|all (?:the )?(?:values|attributes|properties) of|fully[- ]formed|complete (?:replacement|representation)|(?:will|would|to) (?:completely |fully )?(?:replace|overwrite) (?:all|the (?:existing|old|current|previous)))\b|\bif (?:it is )?(?:not (?:set|given|sent|provided|specified)|omitted)\b[^.]*\bwill be (?:removed|cleared|unset)\b/i;
/** "The full data of the item", "The definition to replace the existing object with" */
const FULL_BODY = /\b(?:full|complete|entire) (?:data|object|definition|representation|new)\b|\bto replace\b/i;
/** "The id of the item to be replaced" */
const REPLACED = /\bto (?:be )?(?:replaced?|overwrit(?:e|ten))\b/i;
/** "If not set, the attributes will retain their original values" */
const KEEPS =
  /\b(?:retains?|keeps?) (?:its|their) (?:original|current|existing|previous) values?\b|\bonly (?:the )?(?:fields|attributes|properties) (?:that are |you )?(?:sent|send|given|provided|provide|specified|specify) (?:are|will be) (?:changed|updated|modified)\b/i;
/** What a PATCH says that leaves a PUT beside it no other meaning. */
const OF_PATCH =
  /\b(?:omitted|missing|unspecified|absent) (?:fields|properties|attributes|values)\b|\bmerge[- ]patch\b|\b(?:a )?subset of\b/i;

/** Whether the text of an operation says that what a body leaves out is gone, although it requires nothing. */
export function isToldReplacement(
  { operations }: Pick<BoundCollection, "operations">,
  { operation, action }: BoundOperation,
): boolean {
  const { method, path, summary = "", description = "", parameters, requestBody } = operation;
  const text = `${summary}. ${description}`;
  if (action === "patch") return method === "POST" && REPLACES.test(text);
  if (action !== "replace") return false;
  const patch = operations.find((one) => one.action === "patch" && one.operation.path.text === path.text)?.operation;
  return (
    REPLACES.test(text) ||
    OF_ALL.test(text) ||
    FULL_BODY.test(requestBody?.description ?? "") ||
    parameters.some((one) => one.in === "path" && REPLACED.test(one.description ?? "")) ||
    (patch !== undefined && OF_PATCH.test(`${patch.summary ?? ""}. ${patch.description ?? ""}`))
  );
}

/** Whether the text of an operation says that what a body leaves out stays, although it may have to be complete. */
export function isToldChange({ operation: { summary = "", description = "" } }: BoundOperation): boolean {
  return KEEPS.test(`${summary}. ${description}`);
}
