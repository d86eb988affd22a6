// Counts requests for neurons that do not exist. They have no entry, and anybody can make them: a line a minute says how many there were.
import type { LineSink } from '../ports/platform.ts';
import { reportIncident } from './incident-line.ts';
import { createRejectionBudget } from './refusal-budget.ts';

/** One per execution environment. */
export interface UnknownNeurons {
  /** For a request that names no neuron. */
  count(executionId: string, timeMs: number, ports: ReportPorts): void;
  /** For every other request: what was counted must not wait for the next one that names none. */
  report(timeMs: number, ports: ReportPorts): void;
}

interface ReportPorts {
  readonly stage: string;
  readonly lines: LineSink;
}

/** The first of a minute has a line of its own, the others one together. */
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
