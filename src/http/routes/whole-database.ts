import { stringifyJson } from "../../exact-json/stringify.ts";
import type { Exported } from "../../store/store.ts";
import { isFresh, stampTag } from "../response/etag.ts";
import { jsonReply, notModified } from "../response/reply.ts";
import type { PathParts, Route } from "../service.ts";

/** `/db`: the whole database. */
export const wholeDatabaseRoute: Route<PathParts> = {
  GET: async ({ req }, { store }) => {
    const etag = stampTag(await store.stamp());
    if (isFresh(req.headers, etag)) return notModified(etag);
    const members = await store.export();
    return jsonReply(
      `{${members.map((member) => `${JSON.stringify(member.name)}:${textOf(member)}`).join(",")}}`,
      etag,
    );
  },
};

function textOf(member: Exported): string {
  switch (member.kind) {
    case "collection":
      return `[${member.records.map((record) => record.text).join(",")}]`;
    case "singleton":
      return member.record.text;
    case "aside":
      return stringifyJson(member.value);
  }
}
