// Lines on standard output for what no entry's line says: a lost entry, cached answer or idempotency record, an authorizer that failed,
// unknown neurons, guards that answered late, a defect of ours.
import type { MetricKey } from '../contract/metrics.ts';
import type { LineSink } from '../ports/platform.ts';
import type { Clock } from '../time/clock.ts';
import { embedMetrics, type MetricStamp } from './embedded-metrics.ts';

const INCIDENTS = {
  neuronLogLoss: 'logLosses',
  neuronCacheLoss: 'cacheFailures',
  neuronIdempotencyLoss: 'cacheFailures',
  neuronAuthorizerFault: 'authorizerFaults',
  neuronUnknown: 'unknownNeurons',
  neuronGuardFlagged: 'guardFlagged',
  neuronGuardUnavailable: 'guardUnavailable',
  neuronDefect: 'defects',
} as const satisfies Record<string, MetricKey>;

/** `reason` is our own text or the name of an error. */
interface Incident {
  readonly kind: keyof typeof INCIDENTS;
  readonly executionId: string;
  readonly reason?: string;
  readonly organization?: string;
  readonly neuron?: string;
  /** The number of incidents, of which this is the latest. @default 1 */
  readonly count?: number;
}

export function renderIncident({ kind, count = 1, ...detail }: Incident, stamp: MetricStamp): string {
  return JSON.stringify({ [kind]: count, ...detail, ...embedMetrics({ [INCIDENTS[kind]]: count }, stamp) });
}

/** Writes the line. Never throws: when standard output is gone, nothing is left to report it with. */
export function reportIncident(
  incident: Incident,
  timeMs: number,
  { stage, lines }: { readonly stage: string; readonly lines: LineSink },
): void {
  try {
    lines.write(renderIncident(incident, { stage, timeMs }));
  } catch {
    // The incident is lost, the caller's answer is not.
  }
}

/** Says which duty at the end of a request what was thrown kept from being done. Never throws. */
export function reportDefect(
  duty: string,
  thrown: unknown,
  executionId: string,
  ports: { readonly stage: string; readonly lines: LineSink; readonly clock: Pick<Clock, 'now'> },
): void {
  const reason = `${duty}: ${thrown instanceof Error ? thrown.name : 'no error'}`;
  reportIncident({ kind: 'neuronDefect', executionId, reason }, ports.clock.now(), ports);
}
