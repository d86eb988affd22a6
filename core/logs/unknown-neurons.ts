// Counts requests for neurons that do not exist. They have no entry, and anybody can make them: one line a minute counts them.
import type { LineSink } from '../ports/platform.ts';
import { reportIncident } from './incident-line.ts';
import { createRejectionBudget } from './rejection-budget.ts';

/** One per execution environment. */
export interface UnknownNeurons {
  /** To be called with every request for an unknown neuron. */
  count(executionId: string, timeMs: number, ports: ReportPorts): void;
  /** To be called with every other request: counts must not wait for the next unknown neuron. */
  report(timeMs: number, ports: ReportPorts): void;
}

interface ReportPorts {
  readonly stage: string;
  readonly lines: LineSink;
}

/** The first request of a minute has a line of its own, the others share one. */
export function createUnknownNeurons(): UnknownNeurons {
  const budget = createRejectionBudget<string>({ entriesPerMinute: 1, neurons: 1 });
  const report: UnknownNeurons['report'] = (timeMs, ports) => {
    for (const { count, last } of budget.drain(timeMs))
      reportIncident({ kind: 'neuronUnknown', executionId: last, count }, timeMs, ports);
  };
  return {
    report,
    count(executionId, timeMs, ports) {
      report(timeMs, ports);
      if (budget.admit('', timeMs, executionId) === 'entry')
        reportIncident({ kind: 'neuronUnknown', executionId }, timeMs, ports);
    },
  };
}
