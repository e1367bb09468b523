import { plainName } from "../../../openapi/bind/words.ts";

const TURNS_PAGES =
  /^(?:page|pagenum|pageno|pagenumber|pageindex|offset|skip|start|startindex|cursor|after|startingafter|pagetoken|p)$/;
const LIMITS = /^(?:limit|perpage|pagesize|size|take|top|count|maxresults)$/;

/** Whether a parameter of this name chooses a part of a list. */
export function turnsPages(name: string): boolean {
  return TURNS_PAGES.test(plainName(name)) || isLimit(name);
}

/** Whether a parameter of this name says how many records a page has. */
export function isLimit(name: string): boolean {
  return LIMITS.test(plainName(name));
}
