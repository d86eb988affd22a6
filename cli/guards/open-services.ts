// Lets `neuron guards test` ask the services of guards, with secrets of the stack and by its rules of hosts and addresses.
import { createGuardServices } from '../../adapters/guards/index.ts';
import { bindToHosts } from '../../adapters/http/listed-hosts.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import type { AlonePorts } from '../../core/admin/guards/ask-alone.ts';
import type { ActiveGuard } from '../../core/guards/active-guards.ts';
import { costOfUsage, findPrice } from '../../core/pricing/cost.ts';
import type { Organization } from '../../core/settings/organization-schema.ts';
import { CommandFailure } from '../output/failure.ts';
import { openHttp } from '../session/open-http.ts';
import { requireOrganization } from '../session/require-stored.ts';
import type { Session } from '../session/session.ts';
import { toProviderHosts } from '../session/stack.ts';

/** Throws `CommandFailure` for an organization that is not stored: its secrets are not known. */
export async function openServices(
  organization: Organization,
  { connect }: Pick<Session, 'connect'>,
): Promise<AlonePorts> {
  const { store, stack, secretReader } = await connect();
  const { id } = await requireOrganization(store, organization.organization);
  const http = bindToHosts(toProviderHosts(stack), await openHttp(stack));
  const open = createGuardServices({ secrets: secretReader, http, clock: systemClock });
  return {
    clock: systemClock,
    open: (guard) => open(guard, { organizationId: id, providers: organization.providers }),
    costOfModel(provider, model, usage) {
      const price = findPrice(organization, provider, model);
      return price === undefined ? null : costOfUsage(usage, price);
    },
  };
}

/** The guards in the process, with a note of those that are left out. Throws `CommandFailure` where there are no others. */
export function withoutServices(
  guards: readonly ActiveGuard[],
  { out }: Pick<Session, 'out'>,
): readonly ActiveGuard[] {
  const local = guards.filter(({ service }) => service === undefined);
  const left = [...new Set(guards.flatMap(({ service, name }) => (service === undefined ? [] : [name])))];
  if (local.length === 0)
    throw new CommandFailure({
      what: `${left.join(', ')} ${left.length === 1 ? 'asks a service' : 'ask services'}, and there is no other guard here.`,
      remedy: 'Pass --services to send the text there.',
    });
  if (left.length > 0)
    out.message(
      `Not run, since they ask a service: ${left.join(', ')}. Pass --services to send the text there.`,
    );
  return local;
}
