// The limits and grants of an API key, as texts of the authorizer's context: ASCII only.
import * as z from 'zod/mini';
import type { KeyGrants } from '../../core/ports/keys.ts';
import { MAX_KEY_TAGS, tagsSchema } from '../../core/settings/names/tags.ts';
import { type KeyLimit, storedKeyLimitSchema } from '../../core/settings/usage-limits.ts';
import { isJsonObject } from '../../core/text/json.ts';

/** At most about 200 characters, since a key has few limits. No member where it has none. */
export function renderKeyLimits(limits: readonly KeyLimit[] = []): { readonly keyLimits?: string } {
  if (limits.length === 0) return {};
  return {
    keyLimits: limits.map(({ metric, limit, period }) => `${metric}:${limit}:${period}`).join(','),
  };
}

/** Undefined where the key has no limits. */
export function parseKeyLimits(text: string | undefined): readonly KeyLimit[] | undefined | 'malformed' {
  if (text === undefined) return undefined;
  const limits = text.split(',').map((one) => {
    const [metric, limit = '', period, ...others] = one.split(':');
    const isWhole = others.length === 0 && /^\d+$/.test(limit);
    return storedKeyLimitSchema.safeParse(isWhole ? { metric, limit: Number(limit), period } : undefined);
  });
  return limits.every(({ success }) => success) ? limits.flatMap(({ data }) => data ?? []) : 'malformed';
}

const grantsSchema = z.strictObject({
  tags: z.optional(tagsSchema(MAX_KEY_TAGS)),
  onBehalfOf: z.optional(z.boolean()),
  tagsFromCalls: z.optional(z.boolean()),
  pausedForSeconds: z.optional(z.int()),
});

/** Base64url, since tags may have any script. No member where the key has none. */
export function renderKeyGrants(grants: KeyGrants | undefined): { readonly keyGrants?: string } {
  if (grants === undefined) return {};
  return { keyGrants: Buffer.from(JSON.stringify(grants)).toString('base64url') };
}

/** Undefined where the key has none. A part of them would let a paused key in, or count for another user. */
export function parseKeyGrants(text: string | undefined): KeyGrants | undefined | 'malformed' {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    const parsed = grantsSchema.safeParse(isJsonObject(value) ? value : undefined);
    return parsed.success ? (parsed.data as KeyGrants) : 'malformed';
  } catch {
    return 'malformed';
  }
}
