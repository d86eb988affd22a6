// Bounds how much feedback a caller may send: no limit of the settings counts it.

/** In a minute, in costs: one for each request of a key. */
export const MAX_FEEDBACK_COSTS = 600;
