// Sends the spans of one batch of the log table's stream. Bounded in size, time and attempts; whatever is lost is counted.
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { readTracedEntries } from '../../adapters/dynamodb/stored/traced-entries.ts';
import { type OtlpSpan, rejectedSpans, renderTraces } from '../../core/logs/traces/otlp.ts';
import { toSpans } from '../../core/logs/traces/to-spans.ts';
import type { TracesPorts } from './compose.ts';

/** Spans of one entry that are sent: a run may call a thousand models. */
const MOST_OF_ENTRY = 100;
/** Spans of one request to the endpoint: less than a megabyte. */
const MOST_AT_ONCE = 500;
const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** After a failure that may pass: 429, 502, 503, 504 (OTLP specification, "Retryable Response Codes"), or no answer. */
const ATTEMPTS = 2;
const RETRY_MS = 500;
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Never throws. Writes one line where spans were lost: how many, and why; nothing of an entry. */
export async function exportSpans(event: DynamoDBStreamEvent, ports: TracesPorts): Promise<void> {
  const { entries, unreadable } = readTracedEntries(event);
  const all = entries.map(toSpans);
  const spans = all.flatMap((some) => some.slice(0, MOST_OF_ENTRY));
  const losses = new Losses();
  losses.add('unreadable', unreadable);
  losses.add(
    'too many',
    all.reduce((sum, some) => sum + Math.max(0, some.length - MOST_OF_ENTRY), 0),
  );
  for (let at = 0; at < spans.length; at += MOST_AT_ONCE) {
    const some = spans.slice(at, at + MOST_AT_ONCE);
    const { lost, reason } = await send(some, ports);
    losses.add(reason, lost);
  }
  if (losses.total > 0)
    ports.lines.write(JSON.stringify({ neuronSpansLost: losses.total, reasons: losses.byReason }));
}

/** A class, to add up what several sends lose. */
class Losses {
  total = 0;
  readonly byReason: Record<string, number> = {};

  add(reason: string, lost: number): void {
    if (lost === 0) return;
    this.total += lost;
    this.byReason[reason] = (this.byReason[reason] ?? 0) + lost;
  }
}

interface Sent {
  readonly lost: number;
  readonly reason: string;
}

async function send(spans: readonly OtlpSpan[], ports: TracesPorts): Promise<Sent> {
  const body = renderTraces(spans, ports.stage);
  for (let attempt = 1; ; attempt += 1) {
    const sent = await post(body, ports);
    if (sent.status === 200)
      return { lost: Math.min(spans.length, rejectedSpans(sent.answer)), reason: 'rejected' };
    const isFinal = sent.status !== undefined && !RETRYABLE.has(sent.status);
    if (isFinal || attempt === ATTEMPTS)
      return {
        lost: spans.length,
        reason: sent.status === undefined ? 'no answer' : `status ${sent.status}`,
      };
    await ports.clock.sleep(RETRY_MS);
  }
}

/** No status where there was no answer. */
async function post(
  body: string,
  { http, url }: TracesPorts,
): Promise<{ readonly status: number | undefined; readonly answer?: unknown }> {
  try {
    const { status, body: bytes } = await http({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      maxBytes: MAX_ANSWER_BYTES,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status, answer: status === 200 ? parse(bytes) : undefined };
  } catch {
    return { status: undefined };
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
