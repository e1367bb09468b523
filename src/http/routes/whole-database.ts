import { stringifyJson } from "../../base/json/json.ts";
import type { Exported } from "../../store/store.ts";
import type { PathParts, Route } from "../contract.ts";
import { isFresh, stampTag } from "../response/headers.ts";
import { jsonReply, notModified } from "../response/reply.ts";
import { joinTexts } from "./join-texts.ts";

/** `/db`: the whole database. */
export const wholeDatabaseRoute: Route<PathParts> = {
  GET: async ({ headers }, { store }) => {
    const etag = stampTag(await store.stamp());
    if (isFresh(headers, etag)) return notModified(etag);
    const members = await store.export();
    const texts: string[] = [];
    for (const member of members) texts.push(`${JSON.stringify(member.name)}:${await textOf(member)}`);
    return jsonReply(`{${texts.join(",")}}`, etag);
  },
};

async function textOf(member: Exported): Promise<string> {
  switch (member.kind) {
    case "collection":
      return `[${await joinTexts(member.records, (record) => record.text)}]`;
    case "singleton":
      return member.record.text;
    case "aside":
      return stringifyJson(member.value);
  }
}
