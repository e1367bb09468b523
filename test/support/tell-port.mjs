/**
 * Loaded before a program: tells on file descriptor 3 which port was wanted and which one it listens on, each time. With
 * STANDIN_TEST_ANY_PORT the program gets a free port in place of the one it wants.
 */
import { writeSync } from "node:fs";
import { Server } from "node:net";

const { listen } = Server.prototype;

Server.prototype.listen = function (wanted, ...rest) {
  this.once("listening", () => writeSync(3, `${JSON.stringify({ wanted, port: this.address().port })}\n`));
  return listen.call(this, process.env.STANDIN_TEST_ANY_PORT ? 0 : wanted, ...rest);
};
