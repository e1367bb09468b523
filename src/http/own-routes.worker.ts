/** Only pages of its own origin reach a service worker, so that `serve` trusts all requests. */
export function refuseForeignHost(): void {}

export function refuseOtherOrigin(): void {}

export function refuseOtherReaders(): void {}

export function readAllowedHosts(): string[] {
  return [];
}
