/** `standin/worker/time`: import it in the script of a worker, and `serve` takes the option `timeline`, and clocks move. */
export {};
