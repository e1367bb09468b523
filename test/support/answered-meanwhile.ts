import { type Answer, type AskOptions, askAt } from "./api.ts";

/** Asks for something costly, and for single records, one after the other, until it is there. Counts those. */
export async function answeredMeanwhile(
  url: string,
  line: string,
  options: AskOptions = {},
): Promise<{ readonly answer: Answer; readonly meanwhile: number }> {
  let answer: Answer | undefined;
  const costly = askAt(url, line, options).then((one) => {
    answer = one;
    return one;
  });
  let meanwhile = 0;
  for (; !answer; meanwhile++) await askAt(url, "GET /companies/1");
  return { answer: await costly, meanwhile };
}
