// The members of a step that a target of Portkey brings beside its provider: parameters, retries, time and cache.
import { MAX_RETRIES, MAX_TIMEOUT_S } from '../models.ts';
import type { Note } from '../write-imported.ts';
import type { Call } from './config.ts';

const PARAMETERS: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  top_p: 'topP',
  seed: 'seed',
  max_tokens: 'maxTokens',
  max_completion_tokens: 'maxTokens',
  stop: 'stopSequences',
  reasoning_effort: 'reasoningEffort',
};

/** Members of the step, as the first target has them. */
export function parametersOf(call: Call | undefined, note: Note): Record<string, unknown> {
  const step: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(call?.override_params ?? {})) {
    const member = PARAMETERS[name];
    if (member !== undefined) step[member] = name === 'stop' && typeof value === 'string' ? [value] : value;
    else if (name !== 'model') note(`override_params.${name}`, 'a step has no such member: callers send it');
  }
  const { retry, request_timeout: milliseconds } = call ?? {};
  if (retry?.attempts) step['retries'] = Math.min(MAX_RETRIES, Math.max(0, Math.round(retry.attempts)));
  if (milliseconds) {
    const seconds = Math.max(1, Math.round(milliseconds / 1000));
    if (seconds > MAX_TIMEOUT_S) note('request_timeout', `a call has at most ${MAX_TIMEOUT_S} s here`);
    step['timeout'] = `${Math.min(MAX_TIMEOUT_S, seconds)}s`;
  }
  return step;
}

export function cachingOf(call: Call | undefined, note: Note): Record<string, unknown> {
  const { mode, max_age: seconds } = call?.cache ?? {};
  if (!mode) return {};
  if (mode === 'semantic')
    note(
      'cache.mode',
      'semantic: `caching.semantic` needs a model of embeddings (docs/caching.md); caching is exact',
    );
  const ttl = seconds ? { ttl: `${Math.max(1, Math.round(seconds))}s` } : {};
  return { caching: { exact: true, ...ttl } };
}
