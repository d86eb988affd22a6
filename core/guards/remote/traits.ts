// The traits of each type of guard by a service, known before its code is loaded: what one call takes, and the most that it can cost.
import type { GuardUsage } from '../../ports/guards.ts';
import type { ServiceGuard } from '../../settings/guards/guards-schema.ts';
import { azureShieldTraits } from './azure-shield.ts';
import { bedrockChecksTraits, bedrockTraits } from './bedrock.ts';
import type { CallLimits } from './chunks.ts';
import { classifierTraits } from './classifier.ts';
import { openaiModerationTraits } from './openai-moderation.ts';
import { presidioTraits } from './presidio.ts';
import { webhookTraits } from './webhook.ts';

export interface ServiceTraits<Settings extends ServiceGuard = ServiceGuard> {
  readonly limits: CallLimits;
  /** The most that one call for these texts can use. */
  mostUsage(guard: Settings, texts: readonly string[]): GuardUsage;
  /** The price of a unit without one in `prices`: 0 for servers of one's own, else unknown. */
  readonly unpriced: 0 | null;
}

const TRAITS: {
  readonly [Type in ServiceGuard['type']]: ServiceTraits<Extract<ServiceGuard, { type: Type }>>;
} = {
  azureShield: azureShieldTraits,
  classifier: classifierTraits,
  openaiModeration: openaiModerationTraits,
  bedrock: bedrockTraits,
  bedrockChecks: bedrockChecksTraits,
  presidio: presidioTraits,
  webhook: webhookTraits,
};

export function traitsOf(guard: ServiceGuard): ServiceTraits {
  return TRAITS[guard.type];
}
