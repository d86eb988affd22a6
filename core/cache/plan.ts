// Decides whether a request may be answered from the cache, and in which scope.

import { type Conversation, plainTextOf } from '../conversation/conversation.ts';
import type { CacheScope } from '../ports/response-cache.ts';
import type { Access } from '../settings/access-schema.ts';
import type { Flow } from '../settings/flow-schema.ts';
import type { NeuronSettings } from '../settings/neuron-schema.ts';
import type { UsableSettings } from '../settings/usable-settings.ts';
import { traitsOf } from './flow-traits.ts';
import { type Audience, hashConversation, hashInput, toCacheScope } from './scope.ts';

/** The facts about an authorized and validated request that decide on caching it. */
export interface CacheRequest {
  readonly settings: UsableSettings;
  /** `model`: the name that a caller chose, where the flow passes it on to a provider. */
  readonly version: { readonly id: string; readonly flow: Flow; readonly model?: string | undefined };
  /** True when the path names the version: callers of the neuron never get the answer to a preview. */
  readonly preview: boolean;
  readonly caller: { readonly username?: string | undefined; readonly keyId?: string | undefined };
  readonly conversation: Conversation;
  readonly bypassCache: boolean;
}

export type SemanticSettings = NonNullable<NeuronSettings['caching']['semantic']>;

export interface CacheKey {
  readonly scope: CacheScope;
  readonly inputHash: string;
  /** From the current settings: a shorter TTL also ends answers that were stored under a longer one. */
  readonly ttlMs: number;
}

/** `off`: nothing is read or written. `bypass`: the same, because the caller asked for it. */
export type CachePlan =
  | { readonly kind: 'off' | 'bypass' }
  | { readonly kind: 'use'; readonly key: CacheKey; readonly semantic: SemanticSettings | undefined };

/** Fails closed: an answer that is not known to be shareable is not cached. */
export function planCaching(request: CacheRequest): CachePlan {
  const { settings, version, caller, conversation } = request;
  const { caching, access } = settings.neuron;
  const semantic = maySearch(caching.semantic, access) ? caching.semantic : undefined;
  // A stored answer has texts alone, and a message that is passed on may have more.
  if (conversation.passed !== undefined) return { kind: 'off' };
  const traits = traitsOf(version.flow);
  if (request.preview || traits.changes || !(caching.exact || semantic !== undefined)) return { kind: 'off' };
  const audience = toAudience(caching.perUser || traits.personal, caller);
  if (audience === undefined) return { kind: 'off' };
  const scope = toCacheScope({
    settings,
    version: describeVersion(version),
    traits,
    audience,
    variables: conversation.variables,
  });
  if (scope === undefined) return { kind: 'off' };
  if (request.bypassCache) return { kind: 'bypass' };
  const plain = plainTextOf(conversation);
  return {
    kind: 'use',
    key: {
      scope,
      inputHash: plain === undefined ? hashConversation(conversation) : hashInput(plain),
      ttlMs: caching.ttl,
    },
    // A vector stands for one text: other parts of a request would not be in it.
    semantic: plain === undefined ? undefined : semantic,
  };
}

/** Ids hold no blank. Answers of one model are not those of another. */
function describeVersion({ id, model }: CacheRequest['version']): string {
  return model === undefined ? id : `${id} ${model}`;
}

/** True when anybody can call the neuron: it is public, or checks only referers, which requests without one pass. */
export function isOpenToAll(access: Access): boolean {
  const checks = access.ips !== undefined || access.apiKey === true || access.jwt !== undefined;
  return access.public === true || !checks;
}

/** `apply` rejects semantic search elsewhere, but stored settings may be older than that rule. */
function maySearch(semantic: SemanticSettings | undefined, access: Access): boolean {
  return semantic !== undefined && (semantic.allowPublic || !isOpenToAll(access));
}

/** Undefined when answers are per caller and the caller cannot be identified. */
function toAudience(personal: boolean, { username, keyId }: CacheRequest['caller']): Audience | undefined {
  if (!personal) return { kind: 'everyone' };
  if (username !== undefined) return { kind: 'username', username };
  return keyId === undefined ? undefined : { kind: 'key', keyId };
}
