// The archive over the wire: the function's own code reads the embedded DynamoDB and puts into S3, and the command reads what is there.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ARCHIVE_FIELDS, fromVariables } from '../../lambdas/environment.ts';
import { createMemoryPorts, runWith } from '../cli/memory-ports.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { CREDENTIALS, REGION, type StoredObject, startS3, type TestS3 } from '../support/s3.ts';
import { createSealedLog, slugOf } from '../support/sealed-log.ts';

const BUCKET = 'audit-archive';
const FOLDER = 'neuron-archive/111122223333/eu-central-1/prod';
/** Ten minutes before midnight; seals are made every two minutes, into the next day. */
const START_MS = Date.parse('2026-11-20T23:50:00Z');
const DAYS = ['2026-11-20', '2026-11-21'];
const DAY_MS = 86_400_000;
const LONG = 'org-long';
const SHORT = 'org-short';

let dynamoDb: TestDynamoDb;
let s3: TestS3;
/** The archive as the function wrote it, for each test anew. */
let written: ReadonlyMap<string, StoredObject>;

beforeAll(async () => {
  Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
  [dynamoDb, s3] = await Promise.all([startDynamoDb(), startS3(BUCKET)]);
  stubEnvironment();
  for (const [index, organization] of [LONG, SHORT].entries()) {
    const log = createSealedLog(dynamoDb, organization, START_MS);
    await log.fill(Array.from({ length: 15 }, (_, call) => `call-${index}-${call}=`));
  }
  const { compose } = await import('../../lambdas/archive/compose.ts');
  const { archive } = await import('../../lambdas/archive/archive.ts');
  const ports = compose(
    fromVariables(ARCHIVE_FIELDS, {
      LOGS_TABLE: dynamoDb.tables.logs,
      USAGE_TABLE: dynamoDb.tables.usage,
      LOG_SHARDS: '1',
      ARCHIVE_BUCKET: BUCKET,
      ARCHIVE_FOLDER: FOLDER,
      ARCHIVE_LOCK: `COMPLIANCE 400 ${slugOf(LONG)}=3650`,
    }),
  );
  for (const day of DAYS) await archive(day, { ...ports, lines: { write: () => undefined } });
  written = new Map(s3.objects);
}, 60_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([dynamoDb.stop(), s3.stop()]);
});

beforeEach(stubEnvironment);
afterEach(() => {
  s3.objects.clear();
  for (const [key, object] of written) s3.objects.set(key, { ...object });
});

function stubEnvironment(): void {
  vi.stubEnv('AWS_REGION', REGION);
  vi.stubEnv('AWS_ACCESS_KEY_ID', CREDENTIALS.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', CREDENTIALS.secretAccessKey);
  vi.stubEnv('AWS_SESSION_TOKEN', undefined);
  vi.stubEnv('AWS_ENDPOINT_URL_S3', s3.endpoint);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', dynamoDb.endpoint);
}

const verify = (...words: string[]) =>
  runWith(createMemoryPorts(), [
    'logs',
    'verify',
    '--from',
    `s3://${BUCKET}/${FOLDER}`,
    '--to',
    '2026-11-21',
    ...words,
  ]);

const nameOf = (chain: string, day: string) => `${FOLDER}/chains/${chain}/${day}-0001.jsonl`;

function edit(key: string, change: (text: string) => string): void {
  const object = s3.objects.get(key);
  if (object === undefined) throw new Error(`${key} is not there`);
  const text = object.body.toString();
  const changed = change(text);
  expect(changed).not.toBe(text);
  object.body = Buffer.from(changed);
}

describe('what the function puts', () => {
  it('is verified by the command, over several pages of the list', async () => {
    const { stdout, stderr, exitCode } = await verify();
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(stdout).toContain('is intact: 30 whole; 2 days, 4 objects,');
    expect(s3.requests.some((request) => request.includes('continuation-token='))).toBe(true);
    expect((await verify('--first-day', '2026-11-20')).exitCode).toBe(0);
  });

  it('is locked for each organization as long as the stage says, and manifests as long as the longest', () => {
    const days = (key: string) => {
      const { mode, until = '' } = written.get(key) ?? {};
      return [mode, Math.round((Date.parse(until) - Date.now()) / DAY_MS)];
    };
    for (const day of DAYS) {
      expect(days(nameOf(LONG, day))).toEqual(['COMPLIANCE', 3_650]);
      expect(days(nameOf(SHORT, day))).toEqual(['COMPLIANCE', 400]);
      expect(days(`${FOLDER}/days/${day}.json`)).toEqual(['COMPLIANCE', 3_650]);
    }
    expect(written.size).toBe(6);
  });
});

describe('what somebody does to it is found:', () => {
  it.each<[string, () => void, string]>([
    [
      'an hour that was deleted with its seals',
      () => edit(nameOf(LONG, '2026-11-21'), withoutFirstSeals),
      'org-long: seal 5 is missing',
    ],
    [
      'a flipped byte',
      () => edit(nameOf(SHORT, '2026-11-21'), (text) => text.replace('"status":200', '"status":201')),
      'was changed: status',
    ],
    [
      'a day that was deleted',
      () => {
        for (const key of s3.objects.keys()) if (key.includes('2026-11-20')) s3.objects.delete(key);
      },
      '2026-11-20 is missing: it has no manifest',
    ],
    [
      'a foreign file, whatever its name is',
      () =>
        s3.objects.set(`${FOLDER}/a & <b> "c" +.txt`, {
          body: Buffer.from('x'),
          mode: undefined,
          until: undefined,
        }),
      'a & <b> "c" +.txt is foreign',
    ],
    [
      'an object that was deleted',
      () => s3.objects.delete(nameOf(LONG, '2026-11-20')),
      'chains/org-long/2026-11-20-0001.jsonl is missing',
    ],
  ])('%s', async (_deed, change, said) => {
    change();
    const { stdout, exitCode } = await verify('--first-day', '2026-11-20');
    expect(stdout).toContain(said);
    expect(stdout).toContain('is NOT intact');
    expect(exitCode).toBe(1);
  });

  it('and what lies beside the folder is not looked at', async () => {
    s3.objects.set(`${FOLDER}-other/x`, { body: Buffer.from('x'), mode: undefined, until: undefined });
    expect((await verify()).exitCode).toBe(0);
  });

  it('and without rights the command says what S3 says', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another');
    const { stdout, stderr, exitCode } = await verify();
    expect([stdout, exitCode]).toEqual(['', 1]);
    expect(stderr).toContain(`the bucket ${BUCKET} answered 403 SignatureDoesNotMatch`);
    expect(stderr).not.toContain('another');
  });
});

/** The second and the third seal of the day, with their entries. */
function withoutFirstSeals(text: string): string {
  const lines = text.split('\n');
  const starts = lines.flatMap((line, index) => (line.startsWith('{"seal"') ? [index] : []));
  return lines.toSpliced(starts[1] ?? 0, (starts[3] ?? 0) - (starts[1] ?? 0)).join('\n');
}
