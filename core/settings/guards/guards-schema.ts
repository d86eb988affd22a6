// The schemas of guards: the library of an organization, and the list of a neuron.
import * as z from 'zod/mini';
import { explainKind, members } from '../members.ts';
import { flag, text } from '../scalars.ts';
import { REGIONS } from './regions.ts';
import { azureShield } from './remote/azure-shield.ts';
import { bedrock, bedrockChecks } from './remote/bedrock.ts';
import { classifier } from './remote/classifier.ts';
import { openaiModeration } from './remote/openai-moderation.ts';
import { presidio } from './remote/presidio.ts';
import { webhook } from './remote/webhook.ts';

/** Kinds of personal data whose form can be checked. */
export const PII_ENTITIES = ['email', 'card', 'iban', 'usSsn', 'ip', 'phone', 'nationalId'] as const;
export type PiiEntity = (typeof PII_ENTITIES)[number];

/** Where a guard looks. `input` holds `system`, and `output` holds `toolCalls`. */
export const STAGES = ['input', 'system', 'toolResults', 'tools', 'output', 'toolCalls'] as const;
export type Stage = (typeof STAGES)[number];

/** A `flag` changes and delays nothing. */
const ACTIONS = ['block', 'redact', 'mask', 'flag'] as const;
export type GuardAction = (typeof ACTIONS)[number];

/** Where a value that was masked is put back. */
const RESTORED = ['output', 'toolCalls'] as const;

const MAX_GUARDS = 50;
const MAX_USES = 20;
const MAX_LIST = 100;

const allow = z.optional(z.array(text(1, 200)).check(z.minLength(1), z.maxLength(MAX_LIST)));

const pii = members({
  type: z.literal('pii'),
  entities: z
    .array(z.enum(PII_ENTITIES, { error: `must be one of ${PII_ENTITIES.join(', ')}` }))
    .check(z.minLength(1), z.maxLength(PII_ENTITIES.length)),
  regions: z.optional(
    z
      .array(
        z.enum(REGIONS, { error: 'must be a country with a numbering plan of its own, such as DE or US' }),
      )
      .check(z.minLength(1), z.maxLength(MAX_LIST)),
  ),
  allow,
});

const secrets = members({ type: z.literal('secrets'), allow });

const patterns = members({
  type: z.literal('patterns'),
  deny: z.array(text(1, 1_000)).check(z.minLength(1), z.maxLength(MAX_LIST)),
  caseSensitive: z._default(flag, false),
});

const phrases = members({ type: z.literal('phrases') });

const schema = members({
  type: z.literal('schema'),
  schema: z.record(z.string(), z.unknown(), { error: 'must be a JSON Schema: an object' }),
  /** The tool whose arguments must fit; the text of the answer without one. */
  tool: z.optional(text(1, 128)),
});

const serviceGuard = z.discriminatedUnion('type', [
  azureShield,
  bedrock,
  bedrockChecks,
  classifier,
  openaiModeration,
  presidio,
  webhook,
]);

/** Types whose verdict another service gives: each of them, which the type holds. */
const SERVICES: Readonly<Record<ServiceGuard['type'], true>> = {
  azureShield: true,
  bedrock: true,
  bedrockChecks: true,
  classifier: true,
  openaiModeration: true,
  presidio: true,
  webhook: true,
};
const SERVICE_TYPES = Object.keys(SERVICES);

const guard = z.discriminatedUnion(
  'type',
  [pii, secrets, patterns, phrases, schema, ...serviceGuard._zod.def.options],
  {
    error: explainKind('type', ['pii', 'secrets', 'patterns', 'phrases', 'schema', ...SERVICE_TYPES]),
  },
);

export const guardName = z.string().check(
  z.regex(/^[a-z][a-z0-9-]{0,31}$/, {
    error: 'must be the name of a guard: 1 to 32 characters of a-z, 0-9 and -, beginning with a letter',
  }),
);

const use = members({
  use: guardName,
  on: z._default(
    z
      .array(z.enum(STAGES, { error: `must be one of ${STAGES.join(', ')}` }))
      .check(z.minLength(1), z.maxLength(STAGES.length)),
    ['input', 'toolResults', 'output'],
  ),
  action: z.enum(ACTIONS, { error: `must be one of ${ACTIONS.join(', ')}` }),
  text: z.optional(text(1, 2_000)),
  restore: z.optional(
    z.array(z.enum(RESTORED, { error: 'must be output or toolCalls' })).check(z.maxLength(RESTORED.length)),
  ),
  unseen: z.optional(z.enum(['allow', 'refuse'], { error: 'must be allow or refuse' })),
  /** For guards by services: what comes of a request that it could not judge. */
  onFailure: z.optional(z.enum(['closed', 'open'], { error: 'must be closed or open' })),
  /** For guards by services: the turns that it judges of each request. */
  history: z.optional(z.enum(['all', 'new'], { error: 'must be all or new' })),
  /** For guards in the process: entries in the log tell equal values from others, by a keyed digest of each. */
  fingerprints: z.optional(flag),
});

export const guardLibrary = z.optional(
  z.record(guardName, guard).check(
    z.refine((library) => Object.keys(library).length <= MAX_GUARDS, {
      error: `must have at most ${MAX_GUARDS} guards`,
    }),
  ),
);

export const guardUses = z.optional(z.array(use).check(z.maxLength(MAX_USES)));

export type Guard = z.output<typeof guard>;
export type ServiceGuard = z.output<typeof serviceGuard>;
/** Guards in the process. */
export type LocalGuard = Exclude<Guard, ServiceGuard>;
export type GuardUse = z.output<typeof use>;

/** True for a guard whose verdict another service gives. */
export function isServiceGuard(guard: Guard): guard is ServiceGuard {
  return Object.hasOwn(SERVICES, guard.type);
}
