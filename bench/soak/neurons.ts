// The neurons of the soak: any number of them, computed from their number when read, and never stored.
import type { NeuronSettingsDocument } from '../../core/settings/neuron-schema.ts';
import type { OrganizationDocument } from '../../core/settings/organization-schema.ts';
import type { SettingsStore, StoredNeuron, VersionStore } from '../../core/settings/stored-settings.ts';

/** The kind of a neuron, by its number modulo their count. */
export const KINDS = [
  'open',
  'limited',
  'cached',
  'meaning',
  'keyed',
  'secret',
  'jwks',
  'failing',
  'branching',
  'addresses',
  'guarded',
  'served',
  'rolling',
  'shadowed',
  'tagged',
] as const;
export type Kind = (typeof KINDS)[number];

/** More than any cache holds secrets, key sets or circuits of. Coprime to the count of kinds, so that each has neurons of all. */
const ORGANIZATIONS = 10_007;
/** All keys belong to one organization, since a digest does not name one. */
export const KEYS_ORGANIZATION = 'o-keys';

const ONCE_A_MINUTE = [{ metric: 'requests', limit: 1, period: '1m' }] as const;
const SETTINGS: Readonly<Record<Kind, (number: number) => Omit<NeuronSettingsDocument, 'neuron'>>> = {
  open: () => ({ access: { public: true } }),
  limited: () => ({ access: { public: true }, rateLimits: [{ ...ONCE_A_MINUTE[0], scope: 'ip' }] }),
  cached: () => ({ access: { public: true }, receipt: true, caching: { exact: true } }),
  meaning: () => ({
    access: { public: true },
    receipt: true,
    caching: {
      exact: true,
      semantic: { embedding: { provider: 'words', model: 'lexical-1' }, allowPublic: true },
    },
  }),
  keyed: () => ({ access: { apiKey: true }, rateLimits: [{ ...ONCE_A_MINUTE[0], scope: 'user' }] }),
  secret: () => ({
    access: { jwt: { sharedSecret: { secret: 'support-jwt' }, usernamePath: 'sub' } },
    rateLimits: [{ metric: 'tokens', scope: 'user', limit: 100_000, period: '1m' }],
  }),
  jwks: (number) => ({
    access: {
      jwt: { jwks: [`https://login-${number % ORGANIZATIONS}.example.com/jwks`], usernamePath: 'sub' },
    },
  }),
  failing: () => ({ access: { public: true } }),
  branching: () => ({ access: { public: true } }),
  addresses: () => ({ access: { ips: ['10.0.0.0/8'] } }),
  guarded: () => ({
    access: { public: true },
    guards: [
      { use: 'personal', on: ['input', 'output'], action: 'mask' },
      { use: 'secrets', on: ['input'], action: 'redact' },
    ],
  }),
  served: () => ({ access: { public: true }, guards: [{ use: 'ours', on: ['input'], action: 'block' }] }),
  rolling: () => ({ access: { public: true } }),
  shadowed: () => ({ access: { public: true } }),
  tagged: (number) => ({
    access: { apiKey: true },
    tags: { team: `team-${number % 1_000}`, product: 'soak' },
  }),
};

/** Kinds that are called with API keys. */
export const WITH_KEYS: ReadonlySet<Kind> = new Set(['keyed', 'tagged']);

/** Slugs of a neuron. */
export function slugsOf(number: number): { readonly organization: string; readonly neuron: string } {
  const organization = WITH_KEYS.has(kindOf(number)) ? KEYS_ORGANIZATION : `o-${number % ORGANIZATIONS}`;
  return { organization, neuron: `n-${number}` };
}

export function kindOf(number: number): Kind {
  return KINDS[number % KINDS.length] ?? 'open';
}

/** All organizations exist, and all neurons with a number. */
export const settingsStore: SettingsStore = {
  async read(slug, neuron) {
    const organization = {
      id: `id-${slug}`,
      slug,
      document: makeOrganization(slug),
      pause: undefined,
      write: 1,
    };
    const number = numberOf(neuron);
    if (number === undefined) return { organization, neuron: undefined, maintenance: undefined };
    const found = {
      id: `id-${neuron}`,
      organizationId: organization.id,
      slug: neuron,
      document: { neuron: `${slug}/${neuron}`, ...SETTINGS[kindOf(number)](number) },
      deployment: { version: 'v1', number: 1 },
      previewKeys: {},
      cacheGeneration: 0,
      write: 1,
      ...releaseOf(number),
    };
    return { organization, neuron: found, maintenance: undefined };
  },
};

const MINUTE_MS = 60_000;

/** A rollout grows and is replaced by another one, and so is a shadow: each minute has a version of its own. */
function releaseOf(number: number): Pick<StoredNeuron, 'rollout' | 'shadow'> {
  const minute = Math.floor(Date.now() / MINUTE_MS);
  const id = minute.toString(16).padStart(16, '0');
  switch (kindOf(number)) {
    case 'rolling':
      return {
        rollout: { id, candidate: `v${minute}`, basisPoints: (minute % 10) * 1_000, by: 'address' as const },
      };
    case 'shadowed': {
      const until = new Date((minute + 2) * MINUTE_MS).toISOString();
      return {
        shadow: { id, version: `v${minute}`, basisPoints: 5_000, budgetMicrodollars: 1_000_000, until },
      };
    }
    default:
      return {};
  }
}

/** Neurons have one version, and one for each minute where they change. */
export const versionStore: VersionStore = {
  async read(_organization, neuronId, id) {
    const number = numberOf(neuronId.slice('id-'.length)) ?? 0;
    const made = { createdAt: '2026-11-21T12:00:00.000Z', author: 'bench', message: undefined };
    return { id, neuronId, ...made, flow: makeFlow(number) };
  },
};

function makeOrganization(organization: string): OrganizationDocument {
  const providers = {
    demo: { type: 'echo' },
    down: { type: 'echo', fail: 503 },
    words: { type: 'lexical' },
  } as const;
  const guards: OrganizationDocument['guards'] = {
    personal: { type: 'pii', entities: ['email', 'iban'] },
    secrets: { type: 'secrets' },
    ours: {
      type: 'webhook',
      endpoint: `https://guard.${organization}.example.com/`,
      secret: { secret: 'guard' },
    },
  };
  return { organization, providers, guards };
}

function makeFlow(number: number): object[] {
  const kind = kindOf(number);
  // A model of its own for each, so that each has a circuit of its own.
  if (kind === 'failing') return [{ callModel: { provider: 'down', model: `m-${number}`, retries: 0 } }];
  const call = { callModel: { provider: 'demo', model: 'echo-1' } };
  if (kind !== 'branching') return [{ systemInstructions: `You are number ${number}.` }, call];
  const condition = { any: [`[02468]0 of ${number}`, 'never'], match: 'regex' };
  // biome-ignore lint/suspicious/noThenProperty: `then` is the branch's name in settings files; nothing here is awaited.
  return [{ ifInputContains: { ...condition, then: [{ stop: { text: 'Stopped.' } }] } }, call];
}

function numberOf(neuron: string): number | undefined {
  const [, digits] = /^n-([0-9]+)$/.exec(neuron) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
