// Sends the spans of one batch of the log table's stream. Bounded in size, time and attempts; whatever is lost is counted.

import type { DynamoDBStreamEvent } from 'aws-lambda';
import { readTracedEntries } from '../../adapters/dynamodb/stored/traced-entries.ts';
import type { Headers } from '../../adapters/secrets/header-secret.ts';
import { type OtlpSpan, rejectedSpans, renderTraces } from '../../core/logs/traces/otlp.ts';
import { toSpans } from '../../core/logs/traces/to-spans.ts';
import { parseJson } from '../../core/text/json.ts';
import type { TracesPorts } from './compose.ts';

/** Max. spans of one entry: a run may call a thousand models. */
const MAX_PER_ENTRY = 100;
/** Max. spans of one request to the endpoint: without texts they are less than a megabyte. */
const MAX_AT_ONCE = 500;
/** Max. characters of JSON of one request, its last span aside. OpenTelemetry's own receiver takes 20 MiB. */
const MAX_CHARACTERS = 2_000_000;
const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** After a failure that may pass: 429, 502, 503, 504 (OTLP specification, "Retryable Response Codes"), or no answer. */
const ATTEMPTS = 2;
const RETRY_MS = 500;
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Never throws. Writes one line when spans were lost: how many, and why, without anything from an entry. */
export async function exportSpans(event: DynamoDBStreamEvent, ports: TracesPorts): Promise<void> {
  const { entries, unreadable } = readTracedEntries(event);
  const all = entries.map((entry) => toSpans(entry, ports.content));
  const spans = all.flatMap((some) => some.slice(0, MAX_PER_ENTRY));
  const losses = new Losses();
  losses.add('unreadable', unreadable);
  losses.add(
    'too many',
    all.reduce((sum, some) => sum + Math.max(0, some.length - MAX_PER_ENTRY), 0),
  );
  const headers = spans.length === 0 ? {} : await readHeaders(ports);
  if (headers === undefined) losses.add('no headers', spans.length);
  else
    for (const some of splitSpans(spans)) {
      const { lost, reason } = await send(some, headers, ports);
      losses.add(reason, lost);
    }
  if (losses.total > 0)
    ports.lines.write(JSON.stringify({ neuronSpansLost: losses.total, reasons: losses.byReason }));
}

/** Undefined when the secret cannot be read: without its headers the endpoint would reject the spans, or take them for another's. */
async function readHeaders({ headers }: TracesPorts): Promise<Headers | undefined> {
  try {
    return await headers();
  } catch {
    return undefined;
  }
}

function splitSpans(spans: readonly OtlpSpan[]): readonly (readonly OtlpSpan[])[] {
  const requests: OtlpSpan[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const span of spans) {
    const last = requests.at(-1);
    if (last === undefined || last.length === MAX_AT_ONCE || characters > MAX_CHARACTERS) {
      requests.push([span]);
      characters = 0;
    } else last.push(span);
    characters += JSON.stringify(span).length;
  }
  return requests;
}

/** A class, because it adds up the losses of several requests. */
class Losses {
  total = 0;
  readonly byReason: Record<string, number> = {};

  add(reason: string, lost: number): void {
    if (lost === 0) return;
    this.total += lost;
    this.byReason[reason] = (this.byReason[reason] ?? 0) + lost;
  }
}

interface SendResult {
  readonly lost: number;
  readonly reason: string;
}

async function send(spans: readonly OtlpSpan[], headers: Headers, ports: TracesPorts): Promise<SendResult> {
  const body = renderTraces(spans, ports.stage);
  for (let attempt = 1; ; attempt += 1) {
    const sent = await post(body, headers, ports);
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

/** Without a status there was no answer. */
async function post(
  body: string,
  headers: Headers,
  { http, url }: TracesPorts,
): Promise<{ readonly status: number | undefined; readonly answer?: unknown }> {
  try {
    const { status, body: bytes } = await http({
      method: 'POST',
      url,
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
      body,
      maxBytes: MAX_ANSWER_BYTES,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status, answer: status === 200 ? parseJson(new TextDecoder().decode(bytes)) : undefined };
  } catch {
    return { status: undefined };
  }
}
