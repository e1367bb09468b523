export { isIP, isIPv4, isIPv6 } from "node:net";
