import type { Eventually } from "../store/store.ts";
import type { Exchange } from "./exchange.ts";
import type { Reply } from "./response/reply.ts";
import type { Service } from "./service.ts";

/** What a path offers: a handler per method, given the parts of the path it stands for. */
export type Route<Parts> = { readonly [method in Method]?: Handler<Parts> };
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Handler<Parts> = (exchange: Exchange, service: Service, parts: Parts) => Eventually<Reply>;
