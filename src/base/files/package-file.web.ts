/** The build puts the version in. */
declare const STANDIN_VERSION: string;

export function version(): string {
  return STANDIN_VERSION;
}
