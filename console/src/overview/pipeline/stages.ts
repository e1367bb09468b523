import type { Overview, Stage } from "../../api/overview.ts";
import type { Route } from "../../routes/route.ts";
import { plural } from "../../ui/format.ts";

/** Icons of stages. */
type StageIcon = "page" | "rewrite" | "layers" | "interceptor" | "fault" | "plugin" | "clock" | "key" | "data";

/** A stage of the pipeline as it is drawn; neighbours of the same kind are one. */
export interface DrawnStage {
  readonly name: string;
  readonly icon: StageIcon;
  readonly isActive: boolean;
  /** The active parts, or that there are none. */
  readonly notes: readonly string[];
  /** Explains what the stage does. */
  readonly hint: string;
  /** Where its effect is seen: a view, or a card of the overview. */
  readonly seenAt: Route | { readonly card: string };
}

export interface FaultState {
  readonly active: number;
  readonly hits: number;
}

const TRAFFIC: Route = { view: "traffic" };
const LAYERS = "Built-in behaviour: keys, limits, delays.";
const INTERCEPTORS = "Files of your own that see each request.";

/**
 * The stages of a request in their order. Layers and interceptors are drawn where there are none, too, so that their place
 * is known.
 */
export function drawnStages({ pipeline, members }: Overview, faults: FaultState): DrawnStage[] {
  const stages: DrawnStage[] = [];
  for (const stage of withPlaces(pipeline)) {
    const drawn = drawStage(stage, { members, faults });
    const last = stages.at(-1);
    const isSame = drawn.isActive && last?.isActive && last.name === drawn.name;
    if (isSame) stages[stages.length - 1] = { ...last, notes: [...last.notes, ...drawn.notes] };
    else stages.push(drawn);
  }
  return stages;
}

type Place = Stage | { readonly stage: "no layer" | "no interceptor" };

function withPlaces(pipeline: readonly Stage[]): Place[] {
  const has = (kind: Stage["stage"]): boolean => pipeline.some(({ stage }) => stage === kind);
  const places: Place[] = [...pipeline];
  const after = (...kinds: readonly Stage["stage"][]): number =>
    places.findLastIndex(({ stage }) => kinds.some((kind) => kind === stage)) + 1;
  if (!has("layer")) places.splice(after("static", "rewrite"), 0, { stage: "no layer" });
  if (!has("interceptor")) {
    const at = places.findLastIndex(({ stage }) => stage === "layer" || stage === "no layer");
    places.splice(at + 1, 0, { stage: "no interceptor" });
  }
  return places;
}

interface Known {
  readonly members: Overview["members"];
  readonly faults: FaultState;
}

function drawStage(stage: Place, { members, faults }: Known): DrawnStage {
  switch (stage.stage) {
    case "static":
      return shown("Static files", "page", [fileOf(stage.folder)], `Files of ${stage.folder} come first.`, TRAFFIC);
    case "rewrite": {
      const hint = "Rules that change the URL of a request.";
      const seenAt = { card: "rules" };
      return stage.rules > 0
        ? shown("Rewrite", "rewrite", [plural(stage.rules, "rule")], hint, seenAt)
        : idle("Rewrite", "rewrite", "No rules", hint, seenAt);
    }
    case "layer":
      return shown("Layers", "layers", [stage.name], LAYERS, TRAFFIC);
    case "interceptor":
      return shown("Interceptors", "interceptor", [fileOf(stage.name)], INTERCEPTORS, TRAFFIC);
    case "no layer":
      return idle("Layers", "layers", "None", LAYERS, TRAFFIC);
    case "no interceptor":
      return idle("Interceptors", "interceptor", "None", INTERCEPTORS, TRAFFIC);
    case "faults":
      return faultStage(faults);
    case "plugins":
      return shown("Plugins", "plugin", ["Active"], "Routes and behaviour of your own.", TRAFFIC);
    case "delay":
      return shown("Delay", "clock", [`${stage.ms} ms`], "Every response waits this long.", TRAFFIC);
    case "read-only":
      return shown("Read-only", "key", ["Writes refused"], "The server was started with --read-only.", TRAFFIC);
    case "document":
      return shown("OpenAPI", "page", ["Document"], "Its operations come before the collections.", TRAFFIC);
    case "upstream":
      return shown("Real API", "rewrite", ["Connected"], "Responses that come from a real API.", TRAFFIC);
    case "record":
      return shown("Recording", "rewrite", ["Active"], "Requests to a real API are recorded.", { view: "record" });
    case "examples":
      return shown("Examples", "page", ["Fixed"], "The examples that requests are matched with.", TRAFFIC);
    case "data": {
      const seenAt: Route = { view: "data", member: undefined, record: { kind: "none" }, query: "" };
      const hint = "The collections that requests read and write.";
      return members.length > 0
        ? shown("Data", "data", extentOf(members), hint, seenAt)
        : idle("Data", "data", "Nothing yet", hint, seenAt);
    }
  }
}

function extentOf(members: Overview["members"]): string[] {
  const collections = members.filter(({ kind }) => kind === "collection").length;
  const objects = members.length - collections;
  return [
    ...(collections > 0 ? [plural(collections, "collection")] : []),
    ...(objects > 0 ? [plural(objects, "object")] : []),
  ];
}

function faultStage({ active, hits }: FaultState): DrawnStage {
  const hint = "Responses that are delayed or broken on purpose.";
  const seenAt: Route = { view: "lab" };
  if (active === 0) return idle("Faults", "fault", "None active", hint, seenAt);
  return shown("Faults", "fault", [`${active} active`, plural(hits, "hit")], hint, seenAt);
}

function shown(
  name: string,
  icon: StageIcon,
  notes: readonly string[],
  hint: string,
  seenAt: DrawnStage["seenAt"],
): DrawnStage {
  return { name, icon, isActive: true, notes, hint, seenAt };
}

function idle(name: string, icon: StageIcon, note: string, hint: string, seenAt: DrawnStage["seenAt"]): DrawnStage {
  return { name, icon, isActive: false, notes: [note], hint, seenAt };
}

/** `./interceptors/stamp.cjs` is known as `stamp.cjs`. */
function fileOf(path: string): string {
  return path.split("/").at(-1) || path;
}
