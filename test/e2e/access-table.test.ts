// Every kind of request against every row of the decision table, over real HTTP: status, code, body, headers, and as what it was let in.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configKeys } from '../../adapters/dynamodb/config-store.ts';
import {
  ADDRESS_KINDS,
  type CredentialKind,
  DECISION_TABLE,
  REFERER_KINDS,
  type TableVerdict,
  USABLE_BLOCKS,
} from '../core/access/decision-table.ts';
import { accessOf, casesOf, type TableCase } from '../core/access/table-cases.ts';
import { type AccessStack, plantKeyring, readNeuron, startAccessStack } from './support/access-stack.ts';
import type { Answer } from './support/call.ts';
import { expectError, expectSuccess } from './support/expect-answer.ts';
import { isLocal, TRANSFER_MODES } from './support/stack.ts';
import { outputOf } from './support/tables.ts';

/** What callers read, written out: nothing of why. */
const TEXTS: Readonly<Record<string, string>> = {
  unauthorized: 'Authentication failed. Send a valid API key or JWT as "Authorization: Bearer <token>".',
  referer_not_allowed: 'Calls from this web page are not allowed.',
  ip_not_allowed: 'Calls from this IP address are not allowed.',
  access_closed: 'This neuron is closed: no way of access is enabled.',
  not_found: 'Neuron not found. Check the organization and the neuron in the URL.',
  dependency_unavailable: 'The service is temporarily unavailable. Try again shortly.',
};
const AT_ONCE = 8;
/** API Gateway names a peer always; text that is no address is what comes nearest to none. */
const UNKNOWN_ADDRESS = 'unknown';

const everything = DECISION_TABLE.flatMap((block) => block.settings.map((words) => ({ block, words })));
const usable = new Set(USABLE_BLOCKS.flatMap(({ settings }) => settings));
const slugOf = (words: string) => `t${everything.findIndex((one) => one.words === words)}`;

/** What `apply` refuses is planted afterwards; until then such a neuron is closed. */
const SETTINGS = [
  'organization: acme\nproviders: { demo: { type: echo } }',
  ...['other', ...everything.map(({ words }) => slugOf(words))].map((slug) => `neuron: acme/${slug}`),
]
  .map((head, index) => {
    const words = everything[index - 2]?.words ?? 'nothing';
    const access = JSON.stringify(accessOf(usable.has(words) ? words : 'nothing'));
    return index === 0 ? head : `${head}\naccess: ${access}\nflow: [{ serveOutput: { text: in } }]`;
  })
  .join('\n---\n');

describe.runIf(isLocal).each(TRANSFER_MODES)('in %s transfer', (transferMode) => {
  let access: AccessStack;
  let headers: Awaited<ReturnType<typeof plantKeyring>>;

  beforeAll(async () => {
    access = await startAccessStack({ transferMode, settings: SETTINGS, trustForwardedFor: true });
    const { organization, neuron } = await readNeuron(access.store, 'acme', 'other');
    headers = await plantKeyring(access.keys, { organizationId: organization.id, otherNeuronId: neuron.id });
    await plantRefused();
  });
  afterAll(() => access?.stop());

  /** Puts what `apply` would refuse into the store all the same. */
  async function plantRefused(): Promise<void> {
    for (const { words } of everything.filter((one) => !usable.has(one.words))) {
      await access.client.send(
        new UpdateCommand({
          TableName: outputOf(access.dataFolder, 'ConfigTable'),
          Key: configKeys.neuron('acme', slugOf(words)),
          UpdateExpression: 'SET document.access = :access',
          ExpressionAttributeValues: { ':access': accessOf(words) },
        }),
      );
    }
  }

  function send(words: string, { referer, address, credential }: TableCase): Promise<Answer> {
    return access.stack.call(`/acme/${slugOf(words)}`, {
      json: { input: 'Hello' },
      headers: {
        'x-forwarded-for': ADDRESS_KINDS[address] ?? UNKNOWN_ADDRESS,
        ...(REFERER_KINDS[referer].length === 0 ? {} : { referer: REFERER_KINDS[referer] }),
        ...(headers[credential].length === 0 ? {} : { authorization: headers[credential] }),
      },
    });
  }

  /** Sends every case and gives what callers of each verdict got wrong, with the execution ids of those let in. */
  async function judge(words: string, cases: readonly TableCase[]) {
    const wrong: string[] = [];
    const letIn = new Map<string, TableVerdict>();
    const waiting = [...cases];
    const work = async () => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        const answer = await send(words, one);
        try {
          const id = expectVerdict(answer, one.verdict);
          if (answer.status === 200) letIn.set(id, one.verdict);
        } catch (error) {
          wrong.push(`${JSON.stringify(one)}: ${answer.status} ${answer.text}: ${String(error)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return { wrong, letIn };
  }

  const isDown = (kind: CredentialKind) => kind === 'unreachable';

  it.each(everything.map(({ words, block }) => [words, block] as const))(
    '%s: every kind of request gets what its row says',
    async (words, block) => {
      const cases = casesOf(block);
      const { wrong, letIn } = await judge(
        words,
        cases.filter(({ credential }) => !isDown(credential)),
      );
      expect(wrong).toEqual([]);
      // As what a caller was let in, only the log says.
      const entries = await expectEntries(access.dataFolder, [...letIn.keys()]);
      for (const [id, verdict] of letIn) expect(`allow as ${entries.get(id)}`).toBe(verdict);
      expect(letIn.size).toBe(
        cases.filter(({ verdict, credential }) => verdict.startsWith('allow') && !isDown(credential)).length,
      );
    },
  );

  it.each(everything.map(({ words, block }) => [words, block] as const))(
    '%s: while keys cannot be read, nobody is let in by one',
    async (words, block) => {
      const table = JSON.stringify(outputOf(access.dataFolder, 'KeysTable'));
      access.tables.judge(({ body }) => (body.includes(table) ? 'throttle' : undefined));
      const { wrong } = await judge(
        words,
        casesOf(block).filter(({ credential }) => isDown(credential)),
      );
      access.tables.judge(() => undefined);
      expect(wrong).toEqual([]);
    },
  );
});

/** The execution id of an answer that is what the verdict says in every part. */
function expectVerdict(answer: Answer, verdict: TableVerdict): string {
  if (verdict.startsWith('allow')) {
    return expectSuccess(answer, { output: 'in', fromCache: false, executionStopped: false });
  }
  const [status, code = ''] = verdict.split(' ');
  const id = expectError(answer, Number(status), code);
  expect(answer.json()['error']).toBe(TEXTS[code]);
  expect(answer.headers['www-authenticate']).toBe(status === '401' ? 'Bearer' : undefined);
  return id;
}

/** How each of the calls was authenticated, by the lines that the functions wrote. */
async function expectEntries(dataFolder: string, ids: readonly string[]): Promise<Map<string, string>> {
  const folder = join(dataFolder, 'logs');
  const read = () => {
    const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
    const entries = lines
      .filter((line) => line.startsWith('{"neuronEntry":'))
      .map((line) => JSON.parse(line) as { executionId: string; authentication: string });
    return new Map(entries.map(({ executionId, authentication }) => [executionId, authentication]));
  };
  await expect.poll(() => ids.filter((id) => !read().has(id))).toEqual([]);
  return read();
}
