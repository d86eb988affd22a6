// Lets the guards of a request ask services. Loaded by the first request of a neuron with such a guard.
import { ServiceError } from '../../../core/contract/service-error.ts';
import type { ActiveGuard } from '../../../core/guards/active-guards.ts';
import { withServices } from '../../../core/guards/remote/service-guards.ts';
import type { RequestGuards } from '../../../core/guards/request-guards.ts';
import type { Reservation, Spending } from '../../../core/limits/budget.ts';
import { costOfUsage, findPrice } from '../../../core/pricing/cost.ts';
import type { Call, ExecutionPorts, Run } from '../run.ts';
import { rejectEnded, writeOpenLine } from '../steps/line.ts';

export { maskAgain } from '../../../core/guards/remote/mask-places.ts';

/** The same guards with their services. What they spend is reserved and booked in the limits of the request, as model calls are. */
export function openServices(
  run: Run,
  { settings, deadline }: Pick<Call, 'settings' | 'deadline'>,
  { local, active }: { readonly local: RequestGuards; readonly active: readonly ActiveGuard[] },
  { clock, lines, circuits, openGuard }: Pick<ExecutionPorts, 'clock' | 'lines' | 'circuits' | 'openGuard'>,
): RequestGuards {
  const { organization, organizationId, neuronId } = settings;
  const owner = { organizationId, providers: organization.providers };
  return withServices(local, active, {
    clock,
    deadline,
    // Circuits by names of their own: providers have none that begins so.
    breakers: circuits.within(neuronId),
    open: (guard) => openGuard(guard, owner),
    reserve: (most) => reserveIn(run, most),
    costOfModel: (provider, model, usage) => {
      const price = findPrice(organization, provider, model);
      return price === undefined ? null : costOfUsage(usage, price);
    },
    onCalls() {
      rejectEnded(run);
      writeOpenLine(run, { clock, lines });
    },
  });
}

async function reserveIn(run: Run, most: Spending): Promise<Reservation> {
  // Before the question is on the record, which is written by then.
  rejectEnded(run);
  if (run.budget === undefined)
    throw new ServiceError('internal', { reason: 'a guard is asked before limits' });
  return run.budget.reserve(most);
}
