// Reads the limits of an organization, an API key or a neuron, with their counters.
import {
  type LimitUsageQuery,
  type LimitUsageSubject,
  readLimitUsage,
} from '../../core/admin/limit-usage.ts';
import { mapAtOnce } from '../../core/async/at-once.ts';
import type { NeuronRecord, OrganizationRecord } from '../../core/ports/administration.ts';
import type { StoredKey } from '../../core/ports/keys.ts';
import { neuronSettingsSchema } from '../../core/settings/neuron-schema.ts';
import { organizationSchema } from '../../core/settings/organization-schema.ts';
import type { Ports } from '../session/ports.ts';
import { renderTarget } from '../session/target.ts';
import type { ShownRule } from './limit-view.ts';

type RulePorts = Pick<Ports, 'counterReader' | 'clock' | 'stack'>;

/** An organization, or one of its keys or neurons. */
export interface RuleOwner {
  readonly organization: OrganizationRecord;
  readonly key?: StoredKey;
  readonly neuron?: NeuronRecord;
}

/** The rules of an owner, or its name where its settings are unusable. */
interface OwnerRules {
  readonly rules: readonly ShownRule[];
  readonly unusable?: string;
}

/** An organization may have thousands of keys and neurons. Each is one read of counters. */
const OWNERS_AT_ONCE = 16;

/** The rules of each owner, in their order. */
export function readAllRules(
  owners: readonly RuleOwner[],
  subjectOf: (owner: RuleOwner) => Promise<LimitUsageSubject>,
  ports: RulePorts,
): Promise<readonly OwnerRules[]> {
  return mapAtOnce(owners, OWNERS_AT_ONCE, async (owner) => readRules(owner, await subjectOf(owner), ports));
}

export async function readRules(
  { organization, key, neuron }: RuleOwner,
  subject: LimitUsageSubject,
  { counterReader, clock, stack }: RulePorts,
): Promise<OwnerRules> {
  const limits =
    key === undefined
      ? findLimits(organization, neuron, stack.outputs)
      : { ...NO_LIMITS, keyLimits: key.usageLimits ?? [] };
  if (limits === undefined)
    return { rules: [], unusable: renderTarget({ organization: organization.slug, neuron: neuron?.slug }) };
  const uses = await readLimitUsage(
    {
      neuronId: neuron?.id ?? '',
      organizationId: organization.id,
      ...limits,
      subject: key === undefined ? subject : { keyId: key.keyId },
      timeMs: clock.now(),
      shards: Number(stack.outputs.counterShards),
    },
    counterReader,
  );
  const owner = { organization: organization.slug, neuron: neuron?.slug, keyId: key?.keyId };
  return { rules: uses.map((use) => ({ ...use, ...owner })) };
}

type Limits = Pick<LimitUsageQuery, 'rateLimits' | 'usageLimits' | 'keyLimits' | 'defaultConcurrency'>;

const NO_LIMITS: Limits = { rateLimits: [], usageLimits: [], keyLimits: [], defaultConcurrency: undefined };

/** The usage limits of the organization, or the rate limits of a neuron. Undefined for unusable settings. */
function findLimits(
  organization: OrganizationRecord,
  neuron: NeuronRecord | undefined,
  { organizationConcurrency }: RulePorts['stack']['outputs'],
): Limits | undefined {
  if (neuron !== undefined) {
    const { success, data } = neuronSettingsSchema.safeParse(neuron.document);
    return success ? { ...NO_LIMITS, rateLimits: data.rateLimits } : undefined;
  }
  const { success, data } = organizationSchema.safeParse(organization.document);
  const defaultConcurrency = Number(organizationConcurrency) || undefined;
  return success ? { ...NO_LIMITS, usageLimits: data.usageLimits, defaultConcurrency } : undefined;
}
