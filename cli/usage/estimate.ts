// `neuron estimate`: what AWS charges in a month for a load of one's own, by the formula of docs/costs.md. It needs no stack.
import { InvalidArgumentError } from 'commander';
import { entriesPerBatch } from '../../core/pricing/infrastructure-cost.ts';
import { estimateMonth, type MonthlyLine } from '../../core/pricing/monthly-estimate.ts';
import { command, option } from '../command/command.ts';

/** As `--json` shows it; dollars a month. */
interface Estimate {
  readonly calls: number;
  readonly callsPerSecond: number;
  readonly lines: readonly MonthlyLine[];
  readonly dollars: number;
  readonly dollarsPerMillionCalls: number | null;
}

const DAYS_PER_MONTH = 365 / 12;
const METRICS = ['requests', 'tokens', 'cost', 'none'] as const;
/** Writes of a limit: one at admission, and one that settles what only the end of the call tells. */
const LIMIT_WRITES = { requests: 1, tokens: 2, cost: 2, none: 0 } as const satisfies Record<
  (typeof METRICS)[number],
  number
>;

export const estimate = command({
  name: 'estimate',
  options: {
    calls: option('--calls <count>', 'calls a month, such as 250000, 2e6 or 2M', parseCount, {
      required: true,
    }),
    cached: option(
      '--cached <percent>',
      'share answered from the exact cache',
      within(0, 100, 'a percentage from 0 to 100, such as 30'),
      { default: 0 },
    ),
    seconds: option(
      '--seconds <seconds>',
      'duration of a call with a model',
      within(0.001, 240, 'seconds, from 0.001 to 240'),
      { default: 2 },
    ),
    hours: option(
      '--hours <hours>',
      'hours of a day in which the calls come, evenly',
      within(0.1, 24, 'hours of a day, from 0.1 to 24'),
      {
        default: 24,
      },
    ),
    organizations: option('--organizations <count>', 'organizations, with one secret each', parseCount, {
      default: 1,
    }),
    memory: option(
      '--memory <megabytes>',
      'memoryMegabytes of the stage',
      within(128, 10_240, 'megabytes, from 128 to 10240'),
      { default: 1_024 },
    ),
    limit: option('--limit <metric>', 'metric of the limit that the calls count against', METRICS, {
      default: 'tokens',
    }),
  },
  help: 'List prices of us-east-1 without free tiers, but for alarms and metrics. Not in it: tokens of providers, storage, taxes, and options of the stage. See docs/costs.md.',
  result: { text: renderEstimate },
  async run({ calls, cached, seconds, hours, organizations, memory, limit }): Promise<Estimate> {
    const callsPerSecond = calls / (DAYS_PER_MONTH * hours * 3_600);
    const lines = estimateMonth({
      calls,
      cachedShare: cached / 100,
      organizations,
      call: {
        milliseconds: seconds * 1_000,
        memoryMegabytes: memory,
        limitWrites: LIMIT_WRITES[limit],
        callsPerSecond,
        entriesPerBatch: entriesPerBatch(callsPerSecond),
      },
    });
    const dollars = lines.reduce((total, line) => total + line.dollars, 0);
    return {
      calls,
      callsPerSecond,
      lines,
      dollars,
      dollarsPerMillionCalls: calls === 0 ? null : (dollars / calls) * 1e6,
    };
  },
});

function renderEstimate({ lines, dollars, dollarsPerMillionCalls, callsPerSecond }: Estimate): string {
  const money = (amount: number) => `$${amount.toFixed(2)}`;
  const rows = [
    ...lines.map((line) => [line.line, money(line.dollars)] as const),
    ['together', money(dollars)] as const,
  ];
  const [left, right] = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const table = rows.map(([line, amount]) => `${line.padEnd(left ?? 0)}  ${amount.padStart(right ?? 0)}`);
  const each =
    dollarsPerMillionCalls === null ? '' : `${money(dollarsPerMillionCalls)} for a million calls, `;
  return [...table, `${each}at ${callsPerSecond.toPrecision(2)} calls a second.`].join('\n');
}

function parseCount(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,12}(?:\.\d{1,6})?(?:e\d{1,2})?)([kM]?)$/.exec(text) ?? [];
  const count = Number(digits) * (unit === 'M' ? 1e6 : unit === 'k' ? 1e3 : 1);
  if (!Number.isInteger(count) || count > 1e12)
    throw new InvalidArgumentError('It must be a number of at most 1e12, such as 250000, 2e6 or 2M.');
  return count;
}

function within(min: number, max: number, what: string) {
  return (text: string): number => {
    const number = Number(text);
    if (/^\d+(\.\d+)?$/.test(text) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be ${what}.`);
  };
}
