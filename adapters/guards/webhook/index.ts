// Asks a service of the organization's own: texts that are signed out, a verdict with a tag back.
import { createHmac } from 'node:crypto';
import type { GuardRequest, GuardService } from '../../../core/ports/guards.ts';
import type { WebhookGuard } from '../../../core/settings/guards/remote/webhook.ts';
import type { GuardOwner, GuardPorts } from '../ports.ts';
import { postForVerdict } from '../post-json.ts';
import { withGuardSecret } from '../read-secret.ts';
import { readVerdict } from './verdict.ts';

/** The form of requests; another one gets another number. */
const FORM = 1;

export function createWebhookGuard(
  { endpoint, secret }: WebhookGuard,
  { http, clock, ...source }: GuardPorts & GuardOwner,
): GuardService {
  return {
    async inspect({ stage, texts, signal }) {
      const text = JSON.stringify({ version: FORM, stage, texts: texts.map(toPart) });
      const json = await withGuardSecret(secret.secret, source, (key) =>
        postForVerdict(http, { url: endpoint, headers: signatureOf(key, text, clock.now()), text, signal }),
      );
      return readVerdict(json, texts);
    },
  };
}

function toPart({ role, text }: GuardRequest['texts'][number]) {
  return { role, text };
}

/** Over the time in seconds, a dot, and the body as it is sent. */
function signatureOf(key: string, body: string, nowMs: number): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signature = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
  return { 'x-neuron-timestamp': timestamp, 'x-neuron-signature': `v1=${signature}` };
}
