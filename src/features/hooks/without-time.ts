/** Wherever data is served, its clock can be moved; a worker needs a file more for that. */
export const WITHOUT_TIME = {};
