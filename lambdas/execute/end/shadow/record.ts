// Records a copy of a run: its line and its entry, which name the run that it repeats.
import type { ServiceError } from '../../../../core/contract/service-error.ts';
import { buildEntry } from '../../../../core/logs/build-entry.ts';
import { renderLine } from '../../../../core/logs/line.ts';
import type { ExecutionPorts } from '../../run.ts';
import { toFacts } from '../../steps/facts.ts';
import { putEntries } from '../finish.ts';
import type { ShadowRun } from './open-shadow.ts';

/** The line first, from which the entry can be restored. */
export async function record(
  run: ShadowRun,
  error: ServiceError | undefined,
  settlements: number,
  ports: ExecutionPorts,
): Promise<void> {
  const found = toFacts(run, ports.clock.monotonicMs(), error, settlements);
  if (found === undefined) return;
  const { of } = run.shadow ?? { of: '' };
  const version = run.version?.id ?? run.settings?.shadow?.version ?? '';
  const ran = found.run ?? { ...NOTHING_RAN, version };
  const facts = { ...found, run: ran, reason: found.reason ?? `shadow of ${of}` };
  const entry = buildEntry(facts, () => undefined);
  ports.lines.write(renderLine(entry, { stage: ports.stage }));
  await putEntries([facts], run.settings, ports);
}

/** A request that the version rejects: its entry counts for the version all the same. */
const NOTHING_RAN = {
  cache: 'off',
  executionStopped: false,
  output: undefined,
  trace: [],
  modelCalls: [],
} as const;
