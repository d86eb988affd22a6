// Asks Azure AI Content Safety (learn.microsoft.com/rest/api/contentsafety): shields for prompts and documents, and text analysis.
import {
  GuardFailure,
  type GuardRequest,
  type GuardService,
  type InspectedText,
  MAY_PASS,
} from '../../../core/ports/guards.ts';
import {
  type AzureShieldGuard,
  analysesText,
  HARMS,
  type Harm,
  recordsOf,
} from '../../../core/settings/guards/remote/azure-shield.ts';
import type { GuardOwner, GuardPorts } from '../ports.ts';
import { postForVerdict } from '../post-json.ts';
import { withGuardSecret } from '../read-secret.ts';
import { readAnalysis, readShield } from './verdict.ts';

const API_VERSION = '2024-09-01';

type Ports = GuardPorts & GuardOwner;

export function createAzureShieldGuard(guard: AzureShieldGuard, ports: Ports): GuardService {
  return {
    async inspect({ stage, texts, signal }) {
      const [one = { role: 'user', text: '' } as const] = texts;
      const ask = (path: string, body: unknown): Promise<unknown> =>
        withGuardSecret(guard.apiKey.secret, ports, (key) =>
          postForVerdict(ports.http, {
            url: toUrl(guard.endpoint, path),
            headers: { 'ocp-apim-subscription-key': key },
            text: JSON.stringify(body),
            signal,
          }),
        );
      const asked = [
        ...(asksForShield(guard, stage) ? [askShield(one, ask)] : []),
        ...(analysesText(guard) ? [askAnalysis(guard, one.text, ask)] : []),
      ];
      const entities = await foundIn(asked);
      return {
        verdict: entities.length > 0 ? 'block' : 'none',
        finds: entities.map((entity) => ({ entity, text: 0 })),
        usage: { units: { record: recordsOf(one.text) * asked.length } },
      };
    },
  };
}

type Ask = (path: string, body: unknown) => Promise<unknown>;

/** An answer is no prompt: it is shown to the shield only where nothing else would look at it. */
function asksForShield(guard: AzureShieldGuard, stage: GuardRequest['stage']): boolean {
  const isAnswer = stage === 'output' || stage === 'toolCalls';
  return guard.promptShield && !(isAnswer && analysesText(guard));
}

async function askShield({ role, text }: InspectedText, ask: Ask): Promise<readonly string[]> {
  const isPrompt = role === 'user' || role === 'system';
  const json = await ask('text:shieldPrompt', isPrompt ? { userPrompt: text } : { documents: [text] });
  return readShield(json, isPrompt);
}

async function askAnalysis(guard: AzureShieldGuard, text: string, ask: Ask): Promise<readonly string[]> {
  const { harms = {}, blocklists } = guard;
  const names = Object.keys(harms) as Harm[];
  const json = await ask('text:analyze', {
    text,
    // An empty list would be all of them; one is asked for and not looked at.
    categories: names.length > 0 ? names.map((name) => HARMS[name]) : [HARMS.hate],
    ...(blocklists === undefined ? {} : { blocklistNames: blocklists, haltOnBlocklistHit: false }),
    outputType: 'FourSeverityLevels',
  });
  return readAnalysis(json, guard);
}

/** The finds of those that answered. Without one it throws a failure, one that may not pass before others; it says whether something was used. */
async function foundIn(asked: readonly Promise<readonly string[]>[]): Promise<readonly string[]> {
  const ended = await Promise.allSettled(asked);
  const found = ended.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const reasons = ended.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  if (found.length > 0 || reasons.length === 0) return found;
  const reason =
    reasons.find((one) => !(one instanceof GuardFailure && MAY_PASS.has(one.kind))) ?? reasons[0];
  if (reasons.length === asked.length || !(reason instanceof GuardFailure)) throw reason;
  throw new GuardFailure(reason.kind, reason.status, { hasUsed: true });
}

function toUrl(endpoint: string, path: string): string {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/contentsafety/${path}`;
  url.searchParams.set('api-version', API_VERSION);
  return url.href;
}
