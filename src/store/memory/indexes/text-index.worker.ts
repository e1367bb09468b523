/** Never built: see text-access.worker.ts. */
export class TextIndex {}
