// Finds of guards that flag after the answer: they are in the entry, and a line of its own counts them.
import type { EntryFacts } from '../../../core/logs/build-entry.ts';
import { lateGuardMetrics } from '../../../core/logs/guard-metrics.ts';
import { reportDefect, reportIncident } from '../../../core/logs/incident-line.ts';
import type { ExecutionPorts, Run } from '../run.ts';

const LATE = { guardFlagged: 'neuronGuardFlagged', guardUnavailable: 'neuronGuardUnavailable' } as const;

/** The entries with what services found after the answer: guards that flag delay none. The line was written before; one more counts it. Never rejects. */
export async function withLateFinds(
  { guards, request }: Pick<Run, 'guards' | 'request'>,
  entries: readonly EntryFacts[],
  ports: Pick<ExecutionPorts, 'stage' | 'lines' | 'clock'>,
): Promise<readonly EntryFacts[]> {
  if (guards?.services === undefined) return entries;
  const { executionId } = request;
  try {
    await guards.services.ended();
    const found = guards.found();
    return entries.map((one) => {
      if (one.executionId !== executionId) return one;
      const { organization, neuron } = one.subject;
      for (const late of lateGuardMetrics(one, found))
        reportIncident({ kind: LATE[late], executionId, organization, neuron }, ports.clock.now(), ports);
      return { ...one, guards: found };
    });
  } catch (thrown) {
    // The entry is put all the same.
    reportDefect('find late', thrown, executionId, ports);
    return entries;
  }
}
