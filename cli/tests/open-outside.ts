// Opens what runs reach outside of this process: providers, services of guards, and secrets. Nothing is connected before a call.
import { createGuardServices } from '../../adapters/guards/index.ts';
import type { Http, OpenHttp } from '../../adapters/http/message.ts';
import { isPhoneNumber } from '../../adapters/phone/is-phone-number.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { createProviders } from '../../adapters/providers/index.ts';
import { validateJson } from '../../adapters/schema/validate-json.ts';
import { lazy } from '../../core/async/lazy.ts';
import { once } from '../../core/async/once.ts';
import type { SecretReader } from '../../core/ports/stores.ts';
import type { OutsidePorts } from '../../core/tests/run/run-ports.ts';
import type { TestedNeuron } from '../../core/tests/run/tested-neuron.ts';
import { openWholeHttp } from '../session/open-http.ts';
import type { Session } from '../session/session.ts';

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
    loadPhones: lazy(async () => ({ isPhoneNumber })),
  };
}

/** An organization that was never applied has no id. */
function slugOf({ name }: TestedNeuron): string {
  return name.split('/')[0] ?? '';
}

/** `NEURON_SECRET_OPENAI_KEY` for the secret `openai-key`. */
export function variableOf(secret: string): string {
  return `NEURON_SECRET_${secret.toUpperCase().replaceAll('-', '_')}`;
}

/** From the environment, else of the organization on its stack. Takes slugs in place of ids. */
function createTestSecrets({ terminal, connect }: Session, notes: Set<string>): SecretReader {
  const ports = once(connect);
  return {
    async read(slug, purpose, name, detail) {
      const own = terminal.environment[variableOf(name)];
      if (own) return own;
      const found = await readStored(slug, purpose, name, detail).catch(() => undefined);
      if (found === undefined)
        notes.add(`The secret ${name} of ${slug} was not found. Set ${variableOf(name)}, or name its stack.`);
      return found;
    },
  };

  async function readStored(slug: string, ...[purpose, name, detail]: Rest): Promise<string | undefined> {
    const { store, secretReader } = await ports();
    const organization = await store.readOrganization(slug);
    return organization && secretReader.read(organization.id, purpose, name, detail);
  }
}

type Rest = Parameters<SecretReader['read']> extends [string, ...infer Others] ? Others : never;
