// The trace of a caller (W3C Trace Context, www.w3.org/TR/trace-context): read from its request, and sent on to providers.
import { createHash } from 'node:crypto';

/** Version, trace id, parent id, flags; members that a later version adds are ignored (section 3.2.2.5, "versioning of traceparent"). */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_TRACE = '0'.repeat(32);
const NO_PARENT = '0'.repeat(16);
/** The only flag of version 00. */
const SAMPLED = 1;

/** The header in version 00, where exactly one valid one was sent; anything else is ignored, as the standard demands. */
export function parseTraceparent(values: readonly string[]): string | undefined {
  const [value = '', ...others] = values;
  const [, version, traceId, parentId, flags = '', rest] = TRACEPARENT.exec(value) ?? [];
  if (others.length > 0 || version === undefined || version === 'ff') return undefined;
  if (version === '00' && rest !== undefined) return undefined;
  if (traceId === undefined || traceId === NO_TRACE || parentId === undefined || parentId === NO_PARENT)
    return undefined;
  const sampled = Number.parseInt(flags, 16) & SAMPLED;
  return `00-${traceId}-${parentId}-0${sampled}`;
}

/** The header for the attempt of a model call with this number, from 0 within its run: the same trace, a span of its own. */
export function toAttemptTraceparent(traceparent: string, executionId: string, number: number): string {
  const [version, traceId, , flags] = traceparent.split('-');
  return [version, traceId, attemptSpanId(executionId, number), flags].join('-');
}

/** Made of members of the log entry, so that a reader of the log finds the span that the provider was told of. */
export function attemptSpanId(executionId: string, number: number): string {
  const id = createHash('sha256')
    .update(`neuron-span/1\n${executionId}\n${number}`)
    .digest('hex')
    .slice(0, 16);
  return id === NO_PARENT ? '1'.padStart(16, '0') : id;
}
