/** `standin/worker/rules`: import it in the script of a worker, and `serve` takes the option `rules`. */
export {};
