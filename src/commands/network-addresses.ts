import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";

/** The addresses under which other machines reach a server that listens on all of them; none for any other host. */
export function networkAddresses(
  host: string,
  url: string,
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): string[] {
  if (host !== "0.0.0.0" && host !== "::") return [];
  const found = Object.values(interfaces)
    .flat()
    .filter((one) => one !== undefined && !one.internal && one.family === "IPv4");
  return found.map((one) => Object.assign(new URL(url), { hostname: one!.address }).href.replace(/\/$/, ""));
}
