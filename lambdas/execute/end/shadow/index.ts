// Shadows: repeats a share of the runs with another version, after their answers. Loads nothing for a neuron without one.
import { lazy } from '../../../../core/async/lazy.ts';
import type { ExecutionPorts, Outcome, Run } from '../../run.ts';

const loadShadow = lazy(() => import('./run-shadow.ts'));

/** The last of the work after an answer. Never throws: nobody waits for it. */
export async function repeatInShadow(
  run: Readonly<Run>,
  outcome: Outcome,
  ports: ExecutionPorts,
): Promise<void> {
  if (run.settings?.shadow === undefined) return;
  try {
    await (await loadShadow()).runShadow(run, outcome, ports);
  } catch {
    // Without room, time or a line there is no run.
  }
}
