// Decides whether a request may be answered from the cache, and within which scope.

import type { CacheScope } from '../ports/response-cache.ts';
import type { Access } from '../settings/access-schema.ts';
import type { Flow } from '../settings/flow-schema.ts';
import type { NeuronSettings } from '../settings/neuron-schema.ts';
import type { UsableSettings } from '../settings/usable-settings.ts';
import { traitsOf } from './flow-traits.ts';
import { type Audience, hashInput, toCacheScope } from './scope.ts';

/** What decides on caching one request; everything in it has been judged. */
export interface CacheRequest {
  readonly settings: UsableSettings;
  readonly version: { readonly id: string; readonly flow: Flow };
  /** True where the path names the version: what a preview answers is never what callers of the neuron get. */
  readonly preview: boolean;
  readonly caller: { readonly username?: string | undefined; readonly keyId?: string | undefined };
  readonly input: string;
  readonly bypassCache: boolean;
}

/** How inputs are compared semantically. */
export type SemanticSettings = NonNullable<NeuronSettings['caching']['semantic']>;

/** Where the answer to a request may be read and written. */
export interface CacheKey {
  readonly scope: CacheScope;
  readonly inputHash: string;
  /** As the settings have it now: it also ends what was stored under a longer one. */
  readonly ttlMs: number;
}

/** `off`: nothing is read or written. `bypass`: the same, because the caller said so. */
export type CachePlan =
  | { readonly kind: 'off' | 'bypass' }
  | { readonly kind: 'use'; readonly key: CacheKey; readonly semantic: SemanticSettings | undefined };

/** Closed by default: whatever is not known to be shareable is not cached. */
export function planCaching(request: CacheRequest): CachePlan {
  const { settings, version, caller, input } = request;
  const { caching, access } = settings.neuron;
  const semantic = maySearch(caching.semantic, access) ? caching.semantic : undefined;
  const traits = traitsOf(version.flow);
  if (request.preview || traits.changes || !(caching.exact || semantic !== undefined)) return { kind: 'off' };
  const audience = toAudience(caching.perUser || traits.personal, caller);
  if (audience === undefined) return { kind: 'off' };
  const scope = toCacheScope({ settings, version: version.id, traits, audience });
  if (scope === undefined) return { kind: 'off' };
  if (request.bypassCache) return { kind: 'bypass' };
  return { kind: 'use', key: { scope, inputHash: hashInput(input), ttlMs: caching.ttl }, semantic };
}

/** Anyone at all may call the neuron: there is no method, or only one that a request without a Referer passes. */
export function isOpenToAll(access: Access): boolean {
  const checks = access.ips !== undefined || access.apiKey === true || access.jwt !== undefined;
  return access.public === true || !checks;
}

/** `apply` refuses the rest; what is stored may be older than the rule. */
function maySearch(semantic: SemanticSettings | undefined, access: Access): boolean {
  return semantic !== undefined && (semantic.allowPublic || !isOpenToAll(access));
}

/** Undefined for a caller who cannot be told from others where answers are one caller's alone. */
function toAudience(personal: boolean, { username, keyId }: CacheRequest['caller']): Audience | undefined {
  if (!personal) return { kind: 'everyone' };
  if (username !== undefined) return { kind: 'username', username };
  return keyId === undefined ? undefined : { kind: 'key', keyId };
}
