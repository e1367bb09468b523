import Negotiator from "negotiator";
import { StandinError } from "../../base/errors.ts";
import type { Call } from "../call.ts";
import type { Responder } from "../contract.ts";
import { contentTag } from "../response/headers.ts";
import { jsonReply, type Reply } from "../response/reply.ts";
import { plainLink, plainPage } from "./plain-page.ts";

interface ListedMount {
  /** Its path below the base. */
  readonly name: string;
  readonly hasConsole: boolean;
}

/** Responds in front of several services: at `/` with a list of them, elsewhere with words. */
export function createMountsResponder(mounts: readonly ListedMount[]): Responder {
  return {
    name: "mounts",
    respond: (call) => {
      if (call.target.path !== "/" || !call.isRead) throw nothingHere(call, mounts);
      const accepts = new Negotiator(call).mediaType(["application/json", "text/html"]);
      return accepts === "text/html" ? pageOf(call, mounts) : listOf(call, mounts);
    },
    has: () => false,
    shownTo: () => () => false,
  };
}

function listOf({ baseUrl }: Call, mounts: readonly ListedMount[]): Reply {
  const entries = mounts.map(({ name, hasConsole }) => {
    const url = `${baseUrl}/${name}`;
    return { name, url, ...(hasConsole && { console: `${url}/__console` }) };
  });
  const json = JSON.stringify({ name: "standin", mounts: entries });
  return jsonReply(json, contentTag(json));
}

function pageOf({ prefix }: Call, mounts: readonly ListedMount[]): Reply {
  return plainPage({
    lead: "Several stand-in REST APIs are running here.",
    head: "<th>Address</th><th></th>",
    rows: mounts.map(({ name, hasConsole }) => {
      const page = hasConsole ? plainLink(`${prefix}/${name}/__console`, "Console") : "";
      return `<tr><td>${plainLink(`${prefix}/${name}`, `/${name}`)}</td><td>${page}</td></tr>`;
    }),
  });
}

function nothingHere({ method, target, prefix }: Call, mounts: readonly ListedMount[]): StandinError {
  const places = mounts.map(({ name }) => `${prefix}/${name}`).join(", ");
  return new StandinError("ROUTE_NOT_FOUND", `${method} ${target.path}: there is nothing here. Try below ${places}.`);
}
