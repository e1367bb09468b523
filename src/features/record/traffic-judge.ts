import type { JsonObject } from "../../base/json/json.ts";
import type { Service } from "../../http/contract.ts";
import { documentFeature } from "../openapi-source/feature.ts";
import { createExchangeJudge, type JudgeExchange } from "./judge-exchange.ts";
import type { Sighting } from "./proxy/upstream-proxy.ts";

/** More findings of one exchange are counted, not shown. */
const MAX_SHOWN = 5;

/** Judges the traffic with a real API by the document that is served, and counts what does not fit. */
export class TrafficJudge {
  readonly #service: Service;
  readonly #base: string;
  #made: { readonly document: unknown; readonly judge: JudgeExchange } | undefined;
  #judged = 0;
  #findings = 0;

  constructor(service: Service, base: string) {
    this.#service = service;
    this.#base = base;
  }

  /** The findings stand in the traffic log, beside the request. */
  readonly see = ({ exchange, call }: Sighting): void => {
    const url = exchange.url.slice(this.#base.length);
    const { findings } = this.#judge()?.({ ...exchange, url }) ?? { findings: [] };
    this.#judged++;
    this.#findings += findings.length;
    if (findings.length === 0) return;
    const shown = findings.slice(0, MAX_SHOWN).map(({ direction, pointer, message }) => {
      return `${direction}${pointer === "" ? "" : ` ${pointer}`}: ${message}`;
    });
    const more = findings.length - shown.length;
    call.refusal = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
  };

  readonly health = (): JsonObject => ({ upstream: { judged: this.#judged, findings: this.#findings } });

  /** A reloaded document judges anew. */
  #judge(): JudgeExchange | undefined {
    const document = this.#service.offer(documentFeature)?.api.document;
    if (document && this.#made?.document !== document) this.#made = { document, judge: createExchangeJudge(document) };
    return this.#made?.judge;
  }
}
