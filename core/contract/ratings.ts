// The bounds of values of feedback.

/** The sum of the squares of 900,000 values, in millionths, is still an integer that a double holds exactly. */
export const MAX_VALUE = 100;
