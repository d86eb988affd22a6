// Times as text (ISO 8601, UTC, with milliseconds), in which the order of texts is the order of times.

/** `2026-11-21T04:05:06.789Z`. */
export function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
