import type { Evidence } from "../../features/openapi-source/types.ts";
import type { Bindings, BoundCollection } from "../../openapi/bind/binding.ts";

/** The bindings of a document, with the evidence for each guess. */
export interface ExplainedBindings extends Bindings {
  readonly file: string;
  evidenceFor(collection: BoundCollection): readonly Evidence[];
}
