/** The parts of a service worker's global scope that are used here. */
export interface WorkerScope {
  /** Absent elsewhere. */
  readonly registration?: { readonly scope: string };
  /** This worker itself, where the browser tells. */
  readonly serviceWorker?: { readonly state: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: LifeEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
}

interface LifeEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends LifeEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
