import type { RouteRow } from "../../http/contract.ts";
import { llmsRoute } from "./llms-route.ts";
import { openApiRoute } from "./openapi-route.ts";
import { typesRoute } from "./types-route.ts";

/** The routes that come with the console, beside the overview. */
export const routesWithConsole: readonly RouteRow[] = [openApiRoute, llmsRoute, typesRoute];
