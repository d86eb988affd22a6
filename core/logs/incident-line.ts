// Lines on standard output that stand for no entry: an entry or a cached answer that could not be put, a judgement that could not
// be made.
import type { MetricKey } from '../contract/metrics.ts';
import { embedMetrics, type MetricStamp } from './embedded-metrics.ts';

const INCIDENTS = {
  neuronLogLoss: 'logLosses',
  neuronCacheLoss: 'cacheFailures',
  neuronAuthorizerFault: 'authorizerFaults',
} as const satisfies Record<string, MetricKey>;

/** `reason` is text of ours, or the name of an error. */
export interface Incident {
  readonly kind: keyof typeof INCIDENTS;
  readonly executionId: string;
  readonly reason?: string;
}

/** One JSON line that counts the incident. */
export function renderIncident({ kind, ...detail }: Incident, stamp: MetricStamp): string {
  return JSON.stringify({ [kind]: 1, ...detail, ...embedMetrics({ [INCIDENTS[kind]]: 1 }, stamp) });
}
