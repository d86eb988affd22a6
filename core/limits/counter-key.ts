// The partition key of a counter. The limit itself is not part of the key, so changing a limit keeps the count.

import { hash } from 'node:crypto';
import { utf8Bytes } from '../text/utf8.ts';
import { toIso } from '../time/iso.ts';
import { type LimitPeriod, windowAt } from './window.ts';

/** `key` and `organization` are the scopes of usage limits, the others those of rate limits. */
export type LimitScope = 'user' | 'ip' | 'total' | 'key' | 'organization';

/** The callers that a counter counts; for the scopes `total`, `key` and `organization` everyone. */
export type LimitSubject =
  | { readonly kind: 'username' | 'keyId' | 'address'; readonly name: string }
  /** All callers without a username or key id together. */
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'everyone' };

/** All that distinguishes one counter from another, except the window. */
export interface CounterIdentity {
  /** The neuron's id; for usage limits the API key's, or the organization's. */
  readonly ownerId: string;
  readonly scope: LimitScope;
  /** Undefined for runs at once. */
  readonly period: LimitPeriod | undefined;
  readonly subject: LimitSubject;
  /** The id of the condition on claims, of a rule that has one: it counts those callers alone. */
  readonly condition?: string | undefined;
}

/** `OWNER-ID#SCOPE#PERIOD#SUBJECT-HASH#WINDOW-START`, the start in UTC; for runs at once `OWNER-ID#SCOPE#concurrent#SUBJECT-HASH`. */
export function counterKey(
  { ownerId, scope, period, subject, condition }: CounterIdentity,
  timeMs: number,
): string {
  const hash = subjectHash(subject, condition);
  if (period === undefined) return [ownerId, scope, 'concurrent', hash].join('#');
  const start = toIso(windowAt(period, timeMs).startMs);
  return [ownerId, scope, period, hash, `${start.slice(0, 19)}Z`].join('#');
}

/** The key of one shard of a counter: `…#SHARD`. */
export function shardKey(key: string, shard: number): string {
  return `${key}#${shard}`;
}

/**
 * SHA-256 over length-delimited UTF-8, so that no two subjects have the same input. Stored counters have it in their keys, so that it
 * cannot become `digestOfParts`. Names are not normalized: usernames that differ in case or Unicode form are different users for
 * access control too.
 */
export function subjectHash(subject: LimitSubject, condition?: string): string {
  const named = 'name' in subject ? [subject.kind, subject.name] : [subject.kind];
  const parts = condition === undefined ? named : [...named, 'when', condition];
  const text = parts.map((part) => `${utf8Bytes(part)}:${part}`).join('');
  return hash('sha256', text, 'base64url');
}
