import { createFetch, methods } from "standin/fetch";
import data from "../../../db.json" with { type: "json" };

// Next loads this module again when it changes. The name keeps the instance, and with it the data.
const api = await createFetch({ data, base: "/api", name: "shop" });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(api);
