// The traces function: what it posts, how often, and that it counts what it loses.
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { toLogItem } from '../../../adapters/dynamodb/log-items.ts';
import { HttpFailure } from '../../../adapters/http/failure.ts';
import type { TracesPorts } from '../../../lambdas/traces/compose.ts';
import { exportSpans } from '../../../lambdas/traces/export-spans.ts';
import { createFakeHttp, type FakeAnswer } from '../../adapters/providers/fake-http.ts';
import { entryOf, FACTS } from '../../core/logs/entries.ts';
import { createMemoryLines } from '../../support/memory/lines.ts';

type Image = NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>;

/** As the stream has it: binary in base64. */
function toAttribute(value: unknown): object {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return { L: value.map(toAttribute) };
  return value === null ? { NULL: true } : { M: toImage(value as object) };
}

function toImage(item: object): Image {
  const present = Object.entries(item).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, toAttribute(value)])) as Image;
}

function record(item: object, eventName: 'INSERT' | 'REMOVE' = 'INSERT'): DynamoDBRecord {
  return { eventName, dynamodb: { NewImage: toImage(item), SequenceNumber: '1' } };
}

const recordOf = (executionId: string, input = 'short') =>
  record(toLogItem(entryOf({ executionId, input }), 1));

/** Without headers and content unless a test gives them. */
const PLAIN: Pick<TracesPorts, 'headers' | 'content'> = { headers: async () => ({}), content: false };

const run = (records: readonly DynamoDBRecord[], ...answers: readonly (FakeAnswer | Error)[]) =>
  runWith(PLAIN, records, ...answers);

async function runWith(
  options: Partial<typeof PLAIN>,
  records: readonly DynamoDBRecord[],
  ...answers: readonly (FakeAnswer | Error)[]
) {
  const { http, requests } = createFakeHttp(...answers);
  const lines = createMemoryLines();
  const slept: number[] = [];
  const clock = { sleep: async (ms: number) => void slept.push(ms) };
  const url = 'https://otlp.example.com/v1/traces';
  await exportSpans(
    { Records: [...records] },
    { ...PLAIN, ...options, http, lines, clock, stage: 'prod', url },
  );
  const bodies = requests.map(({ body }) => JSON.parse(body ?? ''));
  return { requests, slept, lost: lines.lines.map((line) => JSON.parse(line)), bodies };
}

const spansOf = (body: { resourceSpans: { scopeSpans: { spans: { name: string }[] }[] }[] }) =>
  body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

describe('the traces function', () => {
  it('posts the spans of every entry, packed ones included, as OTLP in JSON', async () => {
    const records = [recordOf('a'), recordOf('b', 'long '.repeat(1_000))];
    const { requests, bodies, lost } = await run(records, { status: 200, body: {} });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(bodies[0].resourceSpans[0].resource.attributes).toContainEqual({
      key: 'service.name',
      value: { stringValue: 'neuron-execution-service' },
    });
    expect(spansOf(bodies[0]).map(({ name }) => name)).toEqual([
      ...['POST acme/hello', 'chat m-1', 'POST acme/hello', 'chat m-1'],
    ]);
    expect(requests[0]!.body).not.toContain('secret');
    expect(lost).toEqual([]);
  });

  it('posts nothing of changes by operators, and of what was deleted', async () => {
    const change = record({ pk: 'CHANGES#acme', sk: 'x', id: 'chg-1', outcome: 'made' });
    const { requests } = await run([change, record(toLogItem(entryOf(), 1), 'REMOVE')], { status: 200 });
    expect(requests).toEqual([]);
  });

  it.each([
    ['is tried once more where that may help', { status: 503 }, 2, { 'status 503': 2 }],
    ['is not tried again where it may not', { status: 400 }, 1, { 'status 400': 2 }],
    [
      'is no redirect that is followed',
      { status: 307, headers: { location: 'http://10.0.0.1/' } },
      1,
      { 'status 307': 2 },
    ],
    [
      'is tried once more where nothing answered',
      new HttpFailure('unreachable', 'down'),
      2,
      { 'no answer': 2 },
    ],
  ] as const)('%s, and then counts its spans as lost', async (_name, answer, posts, reasons) => {
    const { requests, slept, lost } = await run([recordOf('a')], answer);
    expect(requests).toHaveLength(posts);
    expect(slept).toHaveLength(posts - 1);
    expect(lost).toEqual([{ neuronSpansLost: 2, reasons }]);
  });

  it('loses nothing where the second try succeeds', async () => {
    const { requests, lost } = await run([recordOf('a')], { status: 429 }, { status: 200, body: {} });
    expect(requests).toHaveLength(2);
    expect(lost).toEqual([]);
  });

  it('counts what the endpoint rejected, what is too much, and what is no entry', async () => {
    const modelCalls = Array.from({ length: 150 }, () => FACTS.run!.modelCalls[0]!);
    const large = record(toLogItem(entryOf({ run: { ...FACTS.run!, modelCalls } }), 1));
    const broken = record({ pk: 'p', sk: 's', executionId: 'x' });
    const { bodies, lost } = await run([large, broken], {
      status: 200,
      body: { partialSuccess: { rejectedSpans: '3' } },
    });
    expect(spansOf(bodies[0])).toHaveLength(100);
    expect(lost).toEqual([{ neuronSpansLost: 55, reasons: { unreadable: 1, 'too many': 51, rejected: 3 } }]);
  });

  it('posts many spans in several requests', async () => {
    const { bodies } = await run(
      Array.from({ length: 300 }, (_, index) => recordOf(`e-${index}`)),
      { status: 200, body: {} },
    );
    expect(bodies.map((body) => spansOf(body).length)).toEqual([500, 100]);
  });

  it('sends the headers of its secret, and none in place of its own', async () => {
    const headers = async () => ({ authorization: 'Bearer token-1', 'x-scope': 'a' });
    const { requests } = await runWith({ headers }, [recordOf('a')], { status: 200, body: {} });
    expect(requests[0]?.headers).toEqual({
      ...{ authorization: 'Bearer token-1', 'x-scope': 'a' },
      ...{ 'content-type': 'application/json', accept: 'application/json' },
    });
  });

  it('posts nothing where its headers cannot be read, says so, and names no header', async () => {
    const headers = () => Promise.reject(new Error('Bearer token-1'));
    const { requests, lost } = await runWith({ headers }, [recordOf('a')], { status: 200 });
    expect(requests).toEqual([]);
    expect(lost).toEqual([{ neuronSpansLost: 2, reasons: { 'no headers': 2 } }]);
  });

  it('reads no secret for a batch without spans', async () => {
    let reads = 0;
    const headers = async () => {
      reads += 1;
      return {};
    };
    await runWith({ headers }, [record({ pk: 'CHANGES#acme', sk: 'x', id: 'chg-1', outcome: 'made' })]);
    expect(reads).toBe(0);
  });

  it('posts what was said where that is asked for, in requests of bounded size', async () => {
    const text = 'a'.repeat(20_000);
    const full = { kind: 'full', text, bytes: text.length } as const;
    const steps = Array.from({ length: 4 }, (_, at) => ({
      ...{ type: 'callModel', atMs: at, input: full, output: full },
    }));
    const modelCalls = steps.map(() => FACTS.run!.modelCalls[0]!);
    const entry = (at: number) => ({ ...entryOf({ executionId: `e-${at}` }), modelCalls, trace: steps });
    const records = Array.from({ length: 60 }, (_, at) => record(toLogItem(entry(at), 1)));
    const { requests, bodies, lost } = await runWith({ content: true }, records, { status: 200, body: {} });
    expect(lost).toEqual([]);
    expect(bodies.flatMap(spansOf)).toHaveLength(300);
    expect(requests.length).toBeGreaterThan(1);
    for (const { body } of requests) expect(body!.length).toBeLessThan(2_200_000);
    expect(requests[0]!.body).toContain('gen_ai.output.messages');
  });
});
