// `neuron doctor --probe`: asks each provider for its models, with its key. Only the status of an answer is shown.
import { HttpFailure } from '../../adapters/http/failure.ts';
import { bindToHosts } from '../../adapters/http/listed-hosts.ts';
import type { Http } from '../../adapters/http/message.ts';
import { probeProvider } from '../../adapters/providers/probe.ts';
import { ServiceError } from '../../core/contract/service-error.ts';
import { ProviderFailure } from '../../core/ports/providers.ts';
import { organizationSchema, type Provider } from '../../core/settings/organization-schema.ts';
import { renderCommand } from '../output/command-line.ts';
import { CommandFailure, explainKnown } from '../output/failure.ts';
import type { Ports } from '../session/ports.ts';
import { toProviderHosts } from '../session/stack.ts';
import type { DoctorPorts, Note } from './checks.ts';

/** For one probe, including the resolution of the name. */
const TIMEOUT_MS = 10_000;

export interface ProviderProbe {
  /** `acme/openai`. */
  readonly name: string;
  run(): Promise<string | Note>;
}

interface ProbeTarget {
  readonly organization: string;
  readonly organizationId: string;
  readonly provider: Provider;
}

type ProbePorts = Pick<Ports, 'secretReader' | 'stack'>;

/** One for each provider in stored settings. Nothing is sent before a probe runs. */
export async function listProbes({
  connect,
  openHttp,
}: Pick<DoctorPorts, 'connect' | 'openHttp'>): Promise<ProviderProbe[]> {
  const ports = await connect();
  const organizations = await ports.store.listOrganizations();
  let http: Promise<Http> | undefined;
  return organizations.flatMap(({ id, slug, document }) => {
    const parsed = organizationSchema.safeParse(document);
    if (!parsed.success) return [{ name: slug, run: () => Promise.reject(unusable(slug)) }];
    return Object.entries(parsed.data.providers).map(([name, provider]) => ({
      name: `${slug}/${name}`,
      run: async () => {
        http ??= openHttp(ports.stack);
        const bound = bindToHosts(toProviderHosts(ports.stack), await http);
        return probe({ organization: slug, organizationId: id, provider }, bound, ports);
      },
    }));
  });
}

async function probe(target: ProbeTarget, http: Http, ports: ProbePorts): Promise<string | Note> {
  const { provider, organizationId } = target;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const source = { organizationId, secrets: ports.secretReader, http, signal };
    const status = await probeProvider(provider, source);
    if (status === undefined) return `not probed: ${WITHOUT_PROBE[provider.type] ?? provider.type}`;
    return `${hostOf(provider)} answered ${status}${describeKey(provider)}`;
  } catch (thrown) {
    if (thrown instanceof ProviderFailure) return explainStatus(thrown, target, ports);
    if (thrown instanceof HttpFailure) throw explainSilence(thrown);
    if (!(thrown instanceof ServiceError)) throw thrown;
    const failure = explainKey(thrown, target, ports);
    // A secret that is not set is a note on a local run, because the examples name some.
    if (ports.stack.local === undefined || thrown.cause !== undefined) throw failure;
    const { why = '', remedy = '' } = failure.detail;
    return { detail: `not probed: ${why}`, remedy };
  }
}

const WITHOUT_PROBE: Readonly<Record<string, string>> = {
  bedrock: 'calls of type bedrock are signed with the role of the function, which this machine does not have',
  echo: 'type echo calls nobody',
  lexical: 'type lexical calls nobody',
};

function hostOf(provider: Provider): string {
  return 'baseUrl' in provider ? new URL(provider.baseUrl).host : provider.type;
}

function describeKey(provider: Provider): string {
  const secret = secretOf(provider);
  return secret === undefined ? '; no key was sent' : ` and accepted the key in the secret ${secret}`;
}

function secretOf(provider: Provider): string | undefined {
  return 'apiKey' in provider ? provider.apiKey?.secret : undefined;
}

/** A compatible server may have no list of models. Then the probe shows only that it answers. */
function explainStatus(
  { status = 0 }: ProviderFailure,
  { organization, provider }: ProbeTarget,
  { stack }: ProbePorts,
): Note {
  const what = `${hostOf(provider)} answered ${status}.`;
  const secret = secretOf(provider);
  if (status === 404 || status === 405) {
    return {
      detail: `${what} It may have no list of models, so the key was not checked.`,
      remedy: 'Check the baseUrl of the provider, and call a neuron that uses it.',
    };
  }
  if (status === 401 || status === 403) {
    throw new CommandFailure({
      what,
      why:
        secret === undefined
          ? 'It wants a key, and the settings of the provider have no apiKey.'
          : `It refused the key in the secret ${secret}.`,
      remedy:
        secret === undefined
          ? 'Add apiKey to the provider and set the secret that it names.'
          : renderCommand(`secrets set ${organization} ${secret} --for providers`, stack.local?.folder),
    });
  }
  if (status === 429 || status === 402) {
    throw new CommandFailure({
      what,
      why: 'The account of this key has reached a limit of the provider, or has no credit.',
      remedy: 'Look at limits and billing of the account at the provider.',
    });
  }
  throw new CommandFailure({
    what,
    why: status >= 500 ? 'The provider failed.' : 'It does not serve its list of models at this address.',
    remedy:
      status >= 500
        ? 'Try again later, and look at the status page of the provider.'
        : 'Check the baseUrl of the provider.',
  });
}

const REMEDIES: Partial<Record<HttpFailure['kind'], string>> = {
  malformed: 'Check the baseUrl of the provider.',
  too_large: 'Check the baseUrl of the provider.',
};

/** The message of an `HttpFailure` names the host and nothing else. */
function explainSilence(thrown: HttpFailure): CommandFailure {
  const { kind, message } = thrown;
  return new CommandFailure(
    {
      what: 'There was no answer.',
      why: kind === 'aborted' ? `${message} after ${TIMEOUT_MS / 1000} s.` : `${message}.`,
      remedy:
        REMEDIES[kind] ??
        'Check the baseUrl, and the network of this machine. The functions have a network of their own.',
    },
    { cause: thrown },
  );
}

/** The key could not be read or sent. */
function explainKey(thrown: ServiceError, target: ProbeTarget, { stack }: ProbePorts): CommandFailure {
  const known = explainKnown(thrown.cause, stack.local?.folder);
  if (known !== undefined) return known;
  const secret = secretOf(target.provider);
  const isAddress = thrown.cause instanceof HttpFailure;
  return new CommandFailure(
    {
      what: 'It could not be probed.',
      why: `${thrown.reason ?? thrown.code}.`,
      remedy:
        isAddress || secret === undefined
          ? 'Check the baseUrl of the provider.'
          : renderCommand(
              `secrets set ${target.organization} ${secret} --for providers`,
              stack.local?.folder,
            ),
    },
    { cause: thrown },
  );
}

function unusable(slug: string): CommandFailure {
  return new CommandFailure({
    what: `The stored settings of ${slug} do not parse.`,
    why: 'They were stored by another version of the service, or by hand.',
    remedy: 'Apply the settings of the organization again.',
  });
}
