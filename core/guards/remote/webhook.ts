// The traits of webhooks.
import type { WebhookGuard } from '../../settings/guards/remote/webhook.ts';
import type { ServiceTraits } from './traits.ts';

export const webhookTraits: ServiceTraits<WebhookGuard> = {
  limits: { textCharacters: 100_000, callCharacters: 500_000, texts: 1_000, overlap: 500 },
  mostUsage: () => ({ units: { call: 1 } }),
  unpriced: 0,
};
