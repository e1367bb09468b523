/** Above those of the system, below those that the system gives away by itself: only a process that names it can have it. */
const LOWEST = 15_000;
const HIGHEST = 32_000;

/** A port for a program that cannot pick one itself. Where it is taken, the program says so: then another is tried. */
export function somePort(): number {
  return LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
}
