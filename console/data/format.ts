// Formats numbers and times for the locale of the browser. Times are in UTC, with the local time beside.

const WHOLE = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const COMPACT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const SECONDS = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
/** By decimals. A formatter is slow to create, and a list writes thousands of costs. */
const DOLLARS = new Map(
  [2, 4, 6].map((decimals) => [
    decimals,
    new Intl.NumberFormat(undefined, {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: 2,
      maximumFractionDigits: decimals,
    }),
  ]),
);
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const SHARE = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const LOCAL = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', dateStyle: 'medium' });
const LOCAL_TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `1,234`. */
export function formatNumber(value: number): string {
  return WHOLE.format(value);
}

/** `1.2M`, for narrow places. */
export function formatCompact(value: number): string {
  return Math.abs(value) < 10_000 ? WHOLE.format(value) : COMPACT.format(value);
}

/** `4.5%`; zero where the whole is zero. */
export function formatShare(part: number, whole: number): string {
  return SHARE.format(whole === 0 ? 0 : part / whole);
}

/** Dollars with enough decimals that a small amount is never shown as zero. */
export function formatCost(microdollars: number | null | undefined): string {
  if (microdollars === null || microdollars === undefined) return 'unknown';
  const dollars = microdollars / 1_000_000;
  const decimals = dollars === 0 || Math.abs(dollars) >= 1 ? 2 : Math.abs(dollars) >= 0.01 ? 4 : 6;
  return DOLLARS.get(decimals)?.format(dollars) ?? '';
}

/** `340 ms`, `1.25 s`. */
export function formatMs(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–';
  if (ms < 1_000) return `${WHOLE.format(ms)} ms`;
  return `${SECONDS.format(ms / 1_000)} s`;
}

/** Dollars for cost, else a number. */
export function formatAmount(metric: string, amount: number | null): string {
  if (amount === null) return '–';
  return metric === 'cost' ? formatCost(amount) : formatNumber(amount);
}

/** `2026-11-22 08:14:05`, UTC. */
export function formatUtc(timeMs: number): string {
  return Number.isNaN(timeMs) ? '–' : new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** The local time; undefined where that is UTC. */
export function formatLocal(timeMs: number, form: 'long' | 'short' = 'long'): string | undefined {
  if (Number.isNaN(timeMs) || new Date(timeMs).getTimezoneOffset() === 0) return undefined;
  return (form === 'long' ? LOCAL : LOCAL_TIME).format(timeMs);
}

/** Such as `Europe/Berlin`. */
export function timeZone(): string {
  return ZONE;
}

/** `3 minutes ago`, `in 5 hours`. */
export function formatRelative(timeMs: number, nowMs: number): string {
  const seconds = (timeMs - nowMs) / 1_000;
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const);
  return RELATIVE.format(Math.round(seconds / length), unit);
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
