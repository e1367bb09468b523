/** Documents are files, which a page does not have; others ask only what the feature offers. */
export const documentFeature = { name: "document" };
export const DOCUMENT = "document";
