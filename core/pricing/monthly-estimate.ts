// AWS's charges in a month for a number of calls: parts of a call by use, and what a stage has while nobody calls.
import { ASSUMED } from './call-assumptions.ts';
import {
  CALL_PARTS,
  type CallPart,
  limitsOfHit,
  type PricedCall,
  priceOf,
  useOfCall,
} from './infrastructure-cost.ts';
import { idleBill, metricsBill } from './infrastructure-prices.ts';

/** Numbers of production as shipped, whose template a test compares with it. */
export const PROD_ALARM_METRICS = 37;
export const PROD_METRICS = 25;

/** The load of a month. `call`: one that calls a model. */
export interface MonthlyLoad {
  readonly calls: number;
  /** From 0 to 1. */
  readonly cachedShare: number;
  readonly organizations: number;
  readonly call: Omit<PricedCall, 'isHit' | 'limitReads'>;
}

/** One line of the bill, in US dollars. */
export interface MonthlyLine {
  readonly line: CallPart | 'secrets' | 'alarms' | 'metrics';
  readonly dollars: number;
}

export function estimateMonth({
  calls,
  cachedShare,
  organizations,
  call,
}: MonthlyLoad): readonly MonthlyLine[] {
  const hit = useOfCall({
    ...call,
    isHit: true,
    milliseconds: ASSUMED.hitMs,
    ...limitsOfHit(call.limitWrites),
  });
  const model = useOfCall({ ...call, isHit: false, limitReads: 0 });
  const dollars = (part: CallPart) =>
    (calls * (cachedShare * priceOf(hit[part]) + (1 - cachedShare) * priceOf(model[part]))) / 1e9;
  const idle = idleBill(PROD_ALARM_METRICS, 0, organizations);
  return [
    ...CALL_PARTS.map((line) => ({ line, dollars: dollars(line) })),
    { line: 'secrets', dollars: idle.secrets },
    { line: 'alarms', dollars: idle.alarms },
    // Each only in hours with a value; without calls there are none.
    { line: 'metrics', dollars: calls === 0 ? 0 : metricsBill(PROD_METRICS) },
  ];
}
