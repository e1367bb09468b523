/** `standin/worker/files`: import it in the script of a worker, and forms may upload files. */
export {};
