import type { JsonObject } from "../../base/json/json.ts";
import type { Service } from "../../http/contract.ts";

/**
 * The stages that a request goes through, in order. Those that every server has are always listed; the others where the
 * options switch them on.
 */
export function pipelineOf({ settings, rewriter, steps, features }: Service): JsonObject[] {
  const { staticFolder, delayMs, readOnly } = settings;
  const has = (feature: string): boolean => features.some(({ name }) => name === feature);
  const stages: (JsonObject | false)[] = [
    staticFolder !== undefined && { stage: "static", folder: staticFolder },
    { stage: "rewrite", rules: Object.keys(rewriter.rules).length },
    ...steps.map((step) =>
      step.kind === "layer" ? { stage: "layer", name: step.name } : { stage: "interceptor", name: step.file },
    ),
    has("faults") && { stage: "faults" },
    has("plugins") && { stage: "plugins" },
    delayMs > 0 && { stage: "delay", ms: delayMs },
    readOnly && { stage: "read-only" },
    has("document") && { stage: "document" },
    { stage: "data" },
  ];
  return stages.filter((stage) => stage !== false);
}
