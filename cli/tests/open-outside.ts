// Opens what runs reach outside of this process: providers, services of guards, and secrets. Nothing is connected before a call.
import { createGuardServices } from '../../adapters/guards/index.ts';
import type { Http, OpenHttp } from '../../adapters/http/message.ts';
import { isPhoneNumber } from '../../adapters/phone/is-phone-number.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { createProviders } from '../../adapters/providers/index.ts';
import { validateJson } from '../../adapters/schema/validate-json.ts';
import { once } from '../../core/async/once.ts';
import type { OutsidePorts } from '../../core/tests/run/outside-ports.ts';
import type { TestedNeuron } from '../../core/tests/run/tested-neuron.ts';
import { openWholeHttp } from '../session/open-http.ts';
import type { Session } from '../session/session.ts';
import { createTestSecrets } from './test-secrets.ts';

/** `notes`: what an operator should know of secrets that were not found. */
export function openOutside(session: Session, notes: Set<string>): OutsidePorts {
  const opened = once(() => openWholeHttp(session.options));
  const http: Http = async (request) => (await opened()).http(request);
  const openHttp: OpenHttp = async (request) => (await opened()).openHttp(request);
  const secrets = createTestSecrets(session, notes);
  const ports = { secrets, http, openHttp, clock: systemClock };
  const providers = createProviders(ports);
  const openGuard = createGuardServices(ports);
  return {
    providersOf: (neuron) => providers(slugOf(neuron), neuron.organization.providers),
    openGuard: (guard, neuron) =>
      openGuard(guard, { organizationId: slugOf(neuron), providers: neuron.organization.providers }),
    validateJson,
    loadPhones: async () => ({ isPhoneNumber }),
  };
}

/** An organization that was never applied has no id. */
function slugOf({ name }: TestedNeuron): string {
  return name.split('/')[0] ?? '';
}
