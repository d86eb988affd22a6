// The name of a counter: whose it is, what it is counted by, and of which window. A limit's number is no part of it.
import { createHash } from 'node:crypto';
import { type Period, windowAt } from './window.ts';

/** What a limit counts by; `organization` is the scope of usage limits. */
export type LimitScope = 'user' | 'ip' | 'total' | 'organization';

/** Who is counted. In the scopes `total` and `organization` it is everyone. */
export type LimitSubject =
  | { readonly kind: 'username' | 'keyId' | 'address'; readonly name: string }
  /** Callers without a name of their own share one counter. */
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'everyone' };

/** What decides on a counter, and nothing else does. */
export interface CounterIdentity {
  /** The neuron's id, or the organization's for its usage limits. */
  readonly ownerId: string;
  readonly scope: LimitScope;
  readonly period: Period;
  readonly subject: LimitSubject;
}

/** `ID#SCOPE#PERIOD#SUBJECT-HASH#WINDOW`, the window by its beginning in UTC. */
export function counterKey({ ownerId, scope, period, subject }: CounterIdentity, timeMs: number): string {
  const start = new Date(windowAt(period, timeMs).startMs).toISOString();
  return [ownerId, scope, period, subjectHash(subject), `${start.slice(0, 19)}Z`].join('#');
}

/** The key of one shard of a counter: `…#SHARD`. */
export function shardKey(key: string, shard: number): string {
  return `${key}#${shard}`;
}

/**
 * SHA-256 over length-delimited UTF-8, so that no two subjects can be written the same way. Names are compared as they are:
 * nothing folds case or Unicode forms, and what access control calls two users are two.
 */
export function subjectHash(subject: LimitSubject): string {
  const parts = 'name' in subject ? [subject.kind, subject.name] : [subject.kind];
  const hash = createHash('sha256');
  for (const part of parts) {
    const bytes = new TextEncoder().encode(part);
    hash.update(`${bytes.byteLength}:`).update(bytes);
  }
  return hash.digest('base64url');
}
