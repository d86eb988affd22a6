// The caller's paths of the parts of a request that a provider may reject or leave out.
import type { Omission, RequestMember } from '../../ports/providers.ts';

const PATHS: Readonly<Partial<Record<Omission, string>>> = {
  tools: 'tools',
  toolChoice: 'toolChoice',
  schema: 'responseFormat',
  json: 'responseFormat',
  maxTokens: 'parameters.maxTokens',
  temperature: 'parameters.temperature',
  topP: 'parameters.topP',
  stopSequences: 'parameters.stop',
  seed: 'parameters.seed',
  reasoningEffort: 'parameters.reasoningEffort',
  frequencyPenalty: 'parameters.frequencyPenalty',
  presencePenalty: 'parameters.presencePenalty',
  logitBias: 'parameters.logitBias',
  verbosity: 'parameters.verbosity',
  parallelToolCalls: 'parameters.parallelToolCalls',
  promptCacheKey: 'promptCacheKey',
  dimensions: 'dimensions',
  imageDetail: 'messages[].content[].image_url.detail',
  cacheHints: 'messages[].content[].cache_control',
  reasoning: 'messages[].reasoning',
  thinking: 'thinking',
  betas: 'betas',
};

/** Undefined for a part that only settings fill. */
export function pathOf(part: Omission): string | undefined {
  return PATHS[part];
}

/** Parts that only callers send. */
const OF_CALLERS: ReadonlySet<Omission> = new Set<Omission>([
  'imageDetail',
  'cacheHints',
  'reasoning',
  'betas',
]);

/** The paths of what is left out of the caller's request; settings that a provider leaves out are the operator's. */
export function pathsOfOmissions(
  omissions: readonly Omission[],
  ofCaller: ReadonlySet<RequestMember>,
): readonly string[] {
  const members: ReadonlySet<Omission> = ofCaller;
  return omissions
    .filter((one) => OF_CALLERS.has(one) || members.has(one))
    .flatMap((one) => pathOf(one) ?? []);
}
