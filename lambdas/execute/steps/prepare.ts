// Prepares a call: reads what its request asks for, and opens the budget of its caller, before anything is written for it.
import { lazy } from '../../../core/async/lazy.ts';
import { once } from '../../../core/async/once.ts';
import { requireMakes } from '../../../core/flow/embeddings/require-makes.ts';
import type { Budget } from '../../../core/limits/budget.ts';
import { requireUnblocked } from '../../../core/settings/blocks/blocks.ts';
import type { Call, ExecutionPorts, FoundVersion, Run } from '../run.ts';
import { readInvocation } from './invocation.ts';
import { mayNameEndUser, nameEndUser, takeLabels } from './labels.ts';
import { openLeftOut } from './left-out.ts';
import { countWrite, leastSpending, openRunBudget } from './limits.ts';
import { findVersion } from './version.ts';

const loadHitBudget = lazy(() => import('./limits-of-hit.ts'));

/** The parts of a call that are known before its body is read. */
export type KnownCall = Pick<Call, 'request' | 'admission' | 'settings' | 'deadline'>;

/** An end user whom only the body names is known later than the others. */
export function rejectBlocked(
  { blocks = [] }: Pick<Call['settings'], 'blocks'>,
  { username, keyId }: Call['admission'],
  { sourceIp, timeMs }: Call['request'],
): void {
  requireUnblocked(blocks, { username, keyId, sourceIp }, timeMs);
}

/** `run` counts its writes. */
export function openCountedBudget(run: Run, known: KnownCall, ports: ExecutionPorts): Budget {
  return openRunBudget(known, ports, () => countWrite(run));
}

/** A call that is answered from the cache has a budget of its own. One with guards has not: they may hold the answer back. */
export async function chooseBudget(
  run: Run,
  call: Call,
  usual: Budget,
  ports: ExecutionPorts,
): Promise<Budget> {
  if (!usual.limitsSpending || call.guards !== undefined || !(await isHit(run))) return usual;
  const { openHitBudget } = await loadHitBudget();
  run.budget = openHitBudget(call, ports, {
    onWrite: () => countWrite(run),
    onRead: () => {
      run.limitReads = (run.limitReads ?? 0) + 1;
    },
  });
  return run.budget;
}

async function isHit({ caching }: Run): Promise<boolean> {
  return caching?.plan.kind === 'use' && (await caching.exact).kind === 'found';
}

/**
 * Reads the request and its version. A caller whose limit is used up is rejected before the body is looked at, unless it says whom it is
 * for. Nothing is written.
 */
export async function prepare(run: Run, known: KnownCall, opened: Budget, ports: ExecutionPorts) {
  const { request, admission: before, settings } = known;
  const note = (side: Run['side']) => {
    run.side = side;
  };
  const findFor = (caller: Call['admission']) =>
    once(() => findVersion(request, settings, caller, ports, note));
  const reject = async (budget: Budget, find: () => Promise<FoundVersion>) =>
    budget.rejectExhausted(await leastSpending(budget, settings, find));
  const isOpen = mayNameEndUser(before);
  const findFirst = findFor(before);
  if (!isOpen) await reject(opened, findFirst);
  const read = await readInvocation(request, settings, findFirst);
  run.invocation = read;
  const admission = isOpen ? nameEndUser(before, request, read.labels) : before;
  run.admission = admission;
  if (admission !== before) rejectBlocked(settings, admission, request);
  const budget = isOpen ? openCountedBudget(run, { ...known, admission }, ports) : opened;
  run.budget = budget;
  // An end user may be on another side of a rollout than the key, and its version may take another body.
  const isOther = admission !== before && settings.rollout !== undefined;
  const find = isOther ? findFor(admission) : findFirst;
  if (isOpen) await reject(budget, find);
  const invocation = isOther ? await readInvocation(request, settings, find) : read;
  run.invocation = invocation;
  const version = await find();
  run.version = version;
  requireMakes(version.flow, invocation.embedding, {
    ...request,
    takesTokens: (name) => ports.providersOf(settings)(name)?.embedding?.takesTokens === true,
  });
  const labels = takeLabels(before, admission, invocation);
  run.tags = labels.tags;
  const leftOut = openLeftOut(request, { ...invocation, leftOut: labels.leftOut }, version.flow);
  run.leftOut = leftOut;
  return { kind: 'prepared', admission, budget, invocation, version, leftOut } as const;
}
