// Turns stored settings into ones that a request can use: parses documents and checks ids.

import { ServiceError } from '../contract/service-error.ts';
import { toUsableBlocks, type UsableBlock } from './blocks/blocks.ts';
import { pauseAt } from './blocks/pause.ts';
import { type NeuronSettings, neuronSettingsSchema } from './neuron-schema.ts';
import { type Organization, organizationSchema } from './organization-schema.ts';
import type {
  Deployment,
  Maintenance,
  Pause,
  PreviewKeys,
  Rollout,
  Shadow,
  StoredSettings,
} from './stored-settings.ts';

/** Everything about a neuron that is not versioned, ready to be used. */
export interface UsableSettings {
  readonly organizationId: string;
  readonly neuronId: string;
  readonly organization: Organization;
  readonly neuron: NeuronSettings;
  readonly deployment: Deployment | undefined;
  readonly rollout?: Rollout | undefined;
  readonly shadow?: Shadow | undefined;
  readonly previewKeys: PreviewKeys;
  readonly cacheGeneration: number;
  /** That of the organization. */
  readonly pause: Pause | undefined;
  readonly neuronPause?: Pause | undefined;
  /** Those of the organization and of the neuron. */
  readonly blocks?: readonly UsableBlock[];
  readonly maintenance: Maintenance | undefined;
  readonly version: SettingsVersion;
}

/** Settings of a neuron that neither maintenance nor a pause closes for the time being: a pause that is there has ended. */
export type OpenSettings = UsableSettings & {
  readonly maintenance: undefined;
};

/** The write numbers of the settings: a copy with a smaller one is older. */
export interface SettingsVersion {
  readonly organization: number;
  readonly neuron: number;
}

/** `reason` is for the operator's log. */
export type SettingsVerdict =
  | { readonly usable: true; readonly settings: UsableSettings }
  | { readonly usable: false; readonly reason: string };

/** Parses stored settings. Never throws, whatever is in the store. */
export function toUsableSettings(stored: StoredSettings): SettingsVerdict {
  const { organization, neuron, maintenance } = stored;
  if (organization === undefined) return unusable('the organization is unknown');
  if (neuron === undefined) return unusable('the neuron is unknown');
  // A deleted organization of the same slug left this neuron behind.
  if (neuron.organizationId !== organization.id) return unusable('the neuron is of another organization');
  const organizationDocument = organizationSchema.safeParse(organization.document);
  if (!organizationDocument.success) return unusable('the settings of the organization do not parse');
  const neuronDocument = neuronSettingsSchema.safeParse(neuron.document);
  if (!neuronDocument.success) return unusable('the settings of the neuron do not parse');
  return {
    usable: true,
    settings: {
      organizationId: organization.id,
      neuronId: neuron.id,
      organization: organizationDocument.data,
      neuron: neuronDocument.data,
      deployment: neuron.deployment,
      ...(neuron.rollout === undefined ? {} : { rollout: neuron.rollout }),
      ...(neuron.shadow === undefined ? {} : { shadow: neuron.shadow }),
      previewKeys: neuron.previewKeys,
      cacheGeneration: neuron.cacheGeneration,
      pause: organization.pause,
      neuronPause: neuron.pause,
      blocks: toUsableBlocks(stored),
      maintenance,
      version: { organization: organization.write, neuron: neuron.write },
    },
  };
}

/** An API key that may be paused. */
export interface PausableKey {
  readonly pausedForSeconds?: number;
}

type Closing = Pick<UsableSettings, 'maintenance' | 'pause' | 'neuronPause'>;

/**
 * Throws `ServiceError` `maintenance` (503), then `organization_paused`, `neuron_paused` and `key_paused` (429), each with the operator's
 * Retry-After. `grants`: those of the caller's key. A pause that has ended closes nothing.
 */
export function requireOpen<Settings extends Closing>(
  settings: Settings,
  grants: PausableKey | undefined,
  nowMs: number,
): asserts settings is Settings & Pick<OpenSettings, 'maintenance'> {
  const { maintenance } = settings;
  const pause = pauseAt(settings.pause, nowMs);
  const neuronPause = pauseAt(settings.neuronPause, nowMs);
  if (maintenance !== undefined) {
    throw new ServiceError('maintenance', { retryAfterMs: maintenance.retryAfterSeconds * 1000 });
  }
  if (pause !== undefined) {
    throw new ServiceError('organization_paused', { retryAfterMs: pause.retryAfterSeconds * 1000 });
  }
  if (neuronPause !== undefined) {
    throw new ServiceError('neuron_paused', { retryAfterMs: neuronPause.retryAfterSeconds * 1000 });
  }
  if (grants?.pausedForSeconds !== undefined) {
    throw new ServiceError('key_paused', { retryAfterMs: grants.pausedForSeconds * 1000 });
  }
}

/** `12.7`: the write numbers of organization and neuron, as in the authorizer's context. */
export function renderSettingsVersion({ organization, neuron }: SettingsVersion): string {
  return `${organization}.${neuron}`;
}

/** Parses such a text; undefined for any other. */
export function parseSettingsVersion(text: string): SettingsVersion | undefined {
  const match = /^([0-9]{1,15})\.([0-9]{1,15})$/.exec(text);
  return match === null ? undefined : { organization: Number(match[1]), neuron: Number(match[2]) };
}

function unusable(reason: string): SettingsVerdict {
  return { usable: false, reason };
}
