import { LARGE_TEXT } from "../../../base/json/large/light.ts";
import { cutNear } from "../../../base/json/large/pieces.ts";
import type { Receipt } from "../../receipts.ts";

/** The JSON of a receipt; a long response in parts, so that others need not wait until it is encoded. */
export function* receiptTexts(receipt: Receipt): Generator<string> {
  const { json, ...others } = receipt.response;
  if (json === undefined || json.length <= LARGE_TEXT) {
    yield JSON.stringify(receipt);
    return;
  }
  // Without the two braces at its end.
  yield `${JSON.stringify({ ...receipt, response: others }).slice(0, -2)},"json":"`;
  for (let at = 0; at < json.length; ) {
    const cut = cutNear(json, at + LARGE_TEXT, json.length);
    yield JSON.stringify(json.slice(at, cut)).slice(1, -1);
    at = cut;
  }
  yield '"}}';
}
