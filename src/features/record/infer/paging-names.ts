import { plainName } from "../../../openapi/bind/words.ts";

const TURNS_PAGES =
  /^(?:page|pagenum|pageno|pagenumber|pageindex|offset|skip|start|startindex|cursor|after|startingafter|pagetoken|p)$/;
const LIMITS = /^(?:limit|perpage|pagesize|size|take|top|count|maxresults)$/;
const SEARCHES = /^(?:q|query|search|searchterm|searchtext|keywords?|term|searchquery|text)$/;

/** Whether a parameter of this name chooses a part of a list. */
export function turnsPages(name: string): boolean {
  return TURNS_PAGES.test(plainName(name)) || isLimit(name);
}

/** Whether a parameter of this name says how many records a page has. */
export function isLimit(name: string): boolean {
  return LIMITS.test(plainName(name));
}

/** Whether a parameter of this name searches the texts of records. */
export function isSearch(name: string): boolean {
  return SEARCHES.test(plainName(name));
}
