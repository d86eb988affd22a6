// The answers for auditors: every command, every statement and every query of docs/audit.md is run as written, and finds what is there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ports } from '../../cli/session/ports.ts';
import { runWith } from '../cli/memory-ports.ts';
import { queryDuckDb } from '../support/duckdb.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createAuditWorld } from './audit-world.ts';
import { awsCommands, runAws } from './aws-commands.ts';

const DOCUMENT = readFileSync(new URL('../../docs/audit.md', import.meta.url), 'utf8');
const sections = DOCUMENT.split(/^## /m).filter((section) => /^\d+\./.test(section));

const blocksOf = (section: string, language: string) =>
  [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, block]) => block ?? '',
  );
const neuronCommands = (section: string) =>
  [...section.matchAll(/^npx neuron (.*)$/gm)].map(([, words]) => (words ?? '').split(' '));

interface Answer {
  /** What standard output holds. */
  readonly commands: readonly string[];
  /** Items of each statement. */
  readonly items: readonly number[];
  readonly rows: readonly object[];
}

const at = (time: string) => new Date(`2026-11-21T${time}Z`);
const ADA = 'arn:aws:iam::123456789012:user/ada';

/** In the order of the document. */
const ANSWERS: readonly Answer[] = [
  {
    commands: ['KyLvZGJ6oAMEabc='],
    items: [3],
    rows: [
      { time: at('12:30'), neuron: 'hello', caller: 'ann@example.com', outcome: 'success' },
      { time: at('12:31'), neuron: 'hello', caller: 'k7Q2mN9xR4tW', outcome: 'refused' },
      { time: at('12:32'), neuron: 'search', caller: 'k7Q2mN9xR4tW', outcome: 'success' },
    ],
  },
  {
    commands: ['refused='],
    items: [1],
    rows: [{ time: at('12:31'), neuron: 'hello', code: 'rate_limited', reason: null, count: 3n }],
  },
  {
    commands: ['earlier='],
    items: [1],
    rows: [{ neuron: 'hello', outcome: 'success', calls: 2n, first: at('11:30'), last: at('12:30') }],
  },
  {
    commands: ['create_key'],
    items: [2],
    rows: [
      expect.objectContaining({ time: at('10:30'), by: ADA, actions: '["create_key"]', outcome: 'made' }),
      expect.objectContaining({ before: '{"access":{"public":true}}', after: '{"access":{"apiKey":true}}' }),
    ],
  },
  {
    commands: ['hello'],
    items: [2],
    rows: [
      { neuron: 'hello', keyId: 'k7Q2mN9xR4tW', calls: 3n, dollars: 0, unknown: 0n },
      { neuron: 'hello', keyId: null, calls: 2n, dollars: 0.000034, unknown: 0n },
      { neuron: 'search', keyId: 'k7Q2mN9xR4tW', calls: 1n, dollars: 0.000017, unknown: 0n },
    ],
  },
  {
    commands: ['The log of acme is intact: 11 whole', 'The log of acme in this export is intact: 11 whole'],
    items: [1],
    rows: [],
  },
  {
    commands: ['serveOutput', 'deploy'],
    items: [2],
    rows: [
      expect.objectContaining({ time: at('12:00'), actions: '["deploy"]', after: '{"version":"v3"}' }),
      expect.objectContaining({ time: at('11:00'), actions: '["update_neuron"]' }),
    ],
  },
  {
    commands: ['"demo/m-1"'],
    items: [1],
    rows: [
      {
        provider: 'demo',
        model: 'm-1',
        version: 'm-1-2026',
        calls: 3n,
        first: at('11:30'),
        last: at('12:32'),
      },
    ],
  },
  {
    commands: ['search='],
    items: [1],
    rows: [{ sourceIp: '198.51.100.9', caller: 'k7Q2mN9xR4tW', outcome: 'success', calls: 1n }],
  },
  {
    commands: ['ann@example.com'],
    items: [1, 1],
    rows: [
      expect.objectContaining({
        version: 'v3',
        username: 'ann@example.com',
        input: expect.stringContaining('secret input'),
      }),
    ],
  },
];

let dynamoDb: TestDynamoDb;
let ports: Ports;
const folder = temporaryFolder();
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
  ports = await createAuditWorld(dynamoDb);
  const [words = []] = neuronCommands(DOCUMENT);
  const { exitCode, stderr } = await run(words);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
});
afterAll(() => dynamoDb.stop());

/** The ports are those of the local run. */
const run = (words: readonly string[]) =>
  runWith(
    ports,
    words.filter((word) => word !== '--local'),
    { folder },
  );

const query = (sql: string) =>
  queryDuckDb(sql.replaceAll("'november.parquet", `'${join(folder, 'november.parquet')}`));

it('the query of number 6 finds what someone took out of the export', async () => {
  const [sql = ''] = blocksOf(sections[5] ?? '', 'sql');
  const cut = join(folder, 'cut.parquet');
  const [source, condition] = [join(folder, 'november.parquet'), `executionId IS DISTINCT FROM 'search='`];
  await queryDuckDb(`COPY (SELECT * FROM '${source}' WHERE ${condition}) TO '${cut}'`);
  const found = await query(sql.replace("'november.parquet')", `'${cut}')`));
  expect(found).toEqual([{ missing: '2026-11-21T12:32:00.000Z#search=' }]);
});

describe('the ten questions', () => {
  it('are ten, each with its three answers', () => {
    expect(sections).toHaveLength(10);
    expect(ANSWERS).toHaveLength(10);
    for (const section of sections) {
      expect(awsCommands(section).length).toBeGreaterThan(0);
      expect(blocksOf(section, 'sql')).toHaveLength(1);
    }
  });

  describe.each(ANSWERS.map((answer, index) => [index + 1, answer] as const))(
    'number %i',
    (number, answer) => {
      const section = sections[number - 1] ?? '';

      it('is answered by its commands', async () => {
        const commands = neuronCommands(section);
        expect(commands).toHaveLength(answer.commands.length);
        for (const [index, words] of commands.entries()) {
          const { exitCode, stdout, stderr } = await run(words);
          expect({ words, exitCode, stderr }).toMatchObject({ exitCode: 0 });
          expect(stdout).toContain(answer.commands[index]);
        }
      });

      it('is answered by its statements', async () => {
        const counts = [];
        for (const command of awsCommands(section)) {
          const { logs, usage } = dynamoDb.tables;
          const named = command
            .replaceAll('NeuronData-LogsTable', logs)
            .replaceAll('NeuronData-UsageTable', usage);
          counts.push((await runAws(named, dynamoDb.client)).length);
        }
        expect(counts).toEqual(answer.items);
      });

      it('is answered by its query', async () => {
        for (const sql of blocksOf(section, 'sql')) expect(await query(sql)).toEqual(answer.rows);
      });
    },
  );
});
