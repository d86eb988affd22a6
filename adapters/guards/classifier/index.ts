// Asks a model that classifies: Llama Guard, ShieldGemma, or one that follows a policy of the organization's own.
import type { GuardService, GuardUsage, GuardVerdict } from '../../../core/ports/guards.ts';
import { type ClassifierGuard, mostTokens } from '../../../core/settings/guards/remote/classifier.ts';
import { memberOf } from '../../../core/text/json.ts';
import { toEndpointUrl } from '../../providers/openai/request.ts';
import { toUsage } from '../../providers/openai/response.ts';
import type { GuardOwner, GuardPorts } from '../ports.ts';
import { openaiSettingsOf, postToProvider } from '../post-to-provider.ts';
import type { ClassifierFormat } from './format.ts';
import { llamaGuard } from './llama-guard.ts';
import { policyFormat } from './policy.ts';
import { shieldGemma } from './shield-gemma.ts';

type Tokens = NonNullable<GuardUsage['tokens']>;

const FORMATS = {
  llamaGuard,
  shieldGemma,
  policy: policyFormat,
} as const satisfies Record<ClassifierGuard['format'], ClassifierFormat>;

export function createClassifierGuard(guard: ClassifierGuard, ports: GuardPorts & GuardOwner): GuardService {
  const format: ClassifierFormat = FORMATS[guard.format];
  return {
    async inspect({ texts, signal }): Promise<GuardVerdict> {
      const [one = { role: 'user', text: '' } as const] = texts;
      const settings = openaiSettingsOf(guard.provider, ports);
      const url = toEndpointUrl(settings, format.endpoint);
      const body = format.bodyOf(guard, { ...one, text: withoutMarks(one.text) }, settings);
      const json = await postToProvider(settings, { url, body, signal }, ports);
      const found = format.read(json, guard);
      const { provider, model } = guard;
      return {
        verdict: found.length > 0 ? 'block' : 'none',
        finds: found.map((entity) => ({ entity, text: 0 })),
        usage: { tokens: { provider, model, ...usageOf(json, guard, one.text) } },
      };
    },
  };
}

/** A server that counts no tokens is charged the most. */
function usageOf(json: unknown, guard: ClassifierGuard, text: string): Pick<Tokens, 'usage' | 'isEstimated'> {
  const usage = toUsage(memberOf(json, 'usage'));
  return usage === undefined ? { usage: mostTokens(guard, [text]), isEstimated: true } : { usage };
}

/** Marks by which models tell turns and conversations apart: a text that has them could end its own turn and begin another. */
const MARKS =
  /<(?=\|)|<(?=<\/?SYS>>|\/?(?:start_of_turn|end_of_turn|bos|eos|pad|s)>|\/?(?:BEGIN|END) )|\[(?=\/?INST\])/gi;

function withoutMarks(text: string): string {
  return text.replace(MARKS, '$& ');
}
