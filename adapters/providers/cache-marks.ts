// The parts of a request that a provider keeps in its prompt cache only where they are marked. Known before the provider's code is loaded.
import type { CachedPart } from '../../core/ports/providers.ts';

const ALL: readonly CachedPart[] = ['tools', 'system', 'messages'];
const TEXTS: readonly CachedPart[] = ['system', 'messages'];

/** platform.claude.com/docs/en/build-with-claude/prompt-caching: a mark on too short a prompt has no effect. */
export function marksOfAnthropic(): readonly CachedPart[] {
  return ALL;
}

/**
 * docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html: Claude 3.5 Haiku, 3.7 Sonnet and later, with tools, and Amazon Nova without.
 * Any other model would reject a mark; so a profile whose name does not say its model gets none.
 */
export function marksOfBedrock(model: string): readonly CachedPart[] {
  if (/claude-(?:3-5-haiku|3-7-sonnet|(?:opus|sonnet|haiku|fable)-\d)/.test(model)) return ALL;
  return /amazon\.nova-(?:micro|lite|pro|premier)/.test(model) ? TEXTS : [];
}
