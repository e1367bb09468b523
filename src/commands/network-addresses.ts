import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";

/** The addresses under which other machines reach a server that listens on all of them; none for any other host. */
export function networkAddresses(
  host: string,
  url: string,
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): string[] {
  if (host !== "0.0.0.0" && host !== "::") return [];
  const outside = Object.values(interfaces).flatMap((list = []) =>
    list.filter(({ internal, family }) => !internal && family === "IPv4"),
  );
  return outside.map(({ address }) => Object.assign(new URL(url), { hostname: address }).href.replace(/\/$/, ""));
}
