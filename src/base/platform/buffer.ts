export { Buffer, constants } from "node:buffer";
