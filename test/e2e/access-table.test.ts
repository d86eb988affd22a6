// Every row of the decision table over real HTTP: status, code, body, headers, and as what a caller was let in.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configKeys } from '../../adapters/dynamodb/config-items.ts';
import {
  ADDRESS_KINDS,
  type CredentialKind,
  DECISION_TABLE,
  REFERER_KINDS,
  type TableBlock,
  type TableVerdict,
  USABLE_BLOCKS,
} from '../core/access/decision-table.ts';
import { accessOf, casesOf, type TableCase } from '../core/access/table-cases.ts';
import { type AccessStack, plantKeyring, readNeuron, startAccessStack } from './support/access-stack.ts';
import {
  KEY_OF_ANOTHER,
  NATIVE,
  NO_KEY,
  NOT_LIVE,
  OPENAI,
  ORGANIZATION,
  type Surface,
} from './support/access-surfaces.ts';
import type { Answer } from './support/call.ts';
import { COMPUTE, isLocal, SOME_MODES, type TransferMode } from './support/stack.ts';
import { outputOf } from './support/tables.ts';

const AT_ONCE = 8;
/** Every kind of request that a row can have is left to .ci/deep, which sets the variable. */
const isEveryKind = process.env['NEURON_E2E_LONG'] !== undefined;
/** A key that holds, two ways to have none, and one that cannot be read. */
const ENOUGH: readonly CredentialKind[] = ['valid', 'absent', 'malformed', 'unreachable'];
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

describe.runIf(isLocal).each(SOME_MODES)('in %s transfer', (transferMode) => {
  let access: AccessStack;
  let headers: Awaited<ReturnType<typeof plantKeyring>>;
  /** By execution id, over all tests. */
  const letIn = new Map<string, TableVerdict>();

  beforeAll(async () => {
    access = await startAccessStack({ transferMode, settings: SETTINGS, trustForwardedFor: true });
    const { organization, neuron } = await readNeuron(access.store, 'acme', 'other');
    headers = await plantKeyring(access.keys, { organizationId: organization.id, otherNeuronId: neuron.id });
    await plantRejected();
  });
  afterAll(() => access?.stop());

  /** Puts what `apply` would refuse into the store all the same. */
  async function plantRejected(): Promise<void> {
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

  function send(words: string, one: TableCase, surface: Surface): Promise<Answer> {
    const { referer, address, credential } = one;
    return access.stack.call(surface.pathOf(slugOf(words)), {
      json: surface.bodyOf(slugOf(words)),
      headers: {
        'x-forwarded-for': ADDRESS_KINDS[address] ?? UNKNOWN_ADDRESS,
        ...headerOf('referer', REFERER_KINDS[referer].referers),
        ...headerOf('origin', REFERER_KINDS[referer].origins),
        ...headerOf('authorization', headers[credential]),
      },
    });
  }

  /** A key may send 300 names of no neuron a minute to an environment, which all calls share where a process takes many. */
  async function sendUntilKnown(words: string, one: TableCase, surface: Surface): Promise<Answer> {
    const answer = await send(words, one, surface);
    if (COMPUTE !== 'shared' || answer.status !== 429) return answer;
    await sleep(Number(answer.headers['retry-after']) * 1_000);
    return sendUntilKnown(words, one, surface);
  }

  /** Sends every case; gives those that got something else, and how many were let in. */
  async function sendAll(words: string, cases: readonly TableCase[], surface = NATIVE) {
    const wrong: string[] = [];
    let admitted = 0;
    const waiting = [...cases];
    const work = async () => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        const answer = await sendUntilKnown(words, one, surface);
        try {
          const id = surface.expectVerdict(answer, one.verdict);
          if (answer.status !== 200) continue;
          admitted += 1;
          letIn.set(id, one.verdict);
        } catch (error) {
          wrong.push(`${JSON.stringify(one)}: ${answer.status} ${answer.text}: ${String(error)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return { wrong, admitted };
  }

  it.each(everything.map(({ words, block }) => [words, block] as const))(
    '%s: every kind of request gets what its row says',
    async (words, block) => {
      const cases = select(block, transferMode);
      const up = cases.filter(({ credential }) => !isDown(credential));
      const { wrong, admitted } = await sendAll(words, up);
      expect(wrong).toEqual([]);
      expect(admitted).toBe(up.filter(({ verdict }) => verdict.startsWith('allow')).length);
    },
  );

  it.each(everything.map(({ words, block }) => [words, block] as const))(
    '%s: while keys cannot be read, nobody is let in by one',
    async (words, block) => {
      const table = JSON.stringify(outputOf(access.dataFolder, 'KeysTable'));
      const down = (mode: TransferMode) => select(block, mode).filter(({ credential }) => isDown(credential));
      access.tables.injectFaults(({ body }) => (body.includes(table) ? 'throttle' : undefined));
      const { wrong } = await sendAll(words, down(transferMode));
      // One of each row: no surface has a decision of its own.
      const others = await sendAll(words, down('BUFFERED'), OPENAI);
      access.tables.injectFaults(() => undefined);
      expect([...wrong, ...others.wrong]).toEqual([]);
    },
  );

  it.each(everything.map(({ words, block }) => [words, block] as const))(
    '%s: clients of OpenAI get the same verdict on every row',
    async (words, block) => {
      // And every credential where a key alone decides: one of another neuron is as unknown as one that nobody made.
      const more = casesOf(block).filter(
        ({ referer, address }) => words === 'apiKey' && referer === 'absent' && address === 'listed',
      );
      const cases = [...select(block, 'BUFFERED'), ...more].filter(({ credential }) => !isDown(credential));
      const { wrong } = await sendAll(words, cases, OPENAI);
      expect(wrong).toEqual([]);
    },
  );

  it.each(everything.map(({ words, block }) => [words, block] as const))(
    "%s: the organization's URL reaches no neuron that its own would refuse, and betrays none",
    async (words, block) => {
      const cases = select(block, transferMode).filter(({ credential }) => credential === 'valid');
      const { wrong } = await sendAll(words, cases, ORGANIZATION);
      // A key of another neuron is live, and finds no neuron that wants a key.
      const bound = casesOf(block).filter(({ credential }) => credential === 'otherNeuron');
      const byBound = await sendAll(words, eachOnce(bound), KEY_OF_ANOTHER);
      // Without a live key of the organization it is 401, whatever the neuron would say.
      const others = casesOf(block).filter(({ credential }) => NOT_LIVE.includes(credential));
      const each = [...new Map(others.map((one) => [one.credential, { ...one, verdict: NO_KEY }])).values()];
      const without = await sendAll(words, each, ORGANIZATION);
      expect([...wrong, ...byBound.wrong, ...without.wrong]).toEqual([]);
    },
    150_000,
  );

  it('lets callers in as what the table says, which only the log shows', () => {
    const authentications = readAuthentications(access.dataFolder);
    const wrong = [...letIn].filter(([id, verdict]) => `allow as ${authentications.get(id)}` !== verdict);
    expect(wrong).toEqual([]);
    expect(new Set(letIn.values()).size).toBe(4);
  });
});

/**
 * Each page, address and credential once for each verdict: the unit tests have every kind. In .ci/deep all kinds where `apply` takes the
 * settings, all but some bad credentials with an Origin. Access does not know how answers are handed
 * on, so in BUFFERED transfer one request of each row will do.
 */
function select(block: TableBlock, transferMode: TransferMode): readonly TableCase[] {
  const all = casesOf(block);
  const isWhole = USABLE_BLOCKS.includes(block);
  const cases = all.filter(
    ({ credential, referer }) => ENOUGH.includes(credential) || (isWhole && !referer.startsWith('origin')),
  );
  if (transferMode === 'STREAM') return isWhole && isEveryKind ? cases : eachOnce(cases);
  // One with a key that cannot be read besides, whatever its row is.
  const keyOf = ({ verdict, credential }: TableCase) => `${verdict} ${isDown(credential)}`;
  return [...new Map(cases.map((one) => [keyOf(one), one])).values()];
}

/** Cases until every value of every column has been with every verdict that it can be with. */
function eachOnce(cases: readonly TableCase[]): readonly TableCase[] {
  const seen = new Set<string>();
  return cases.filter(({ verdict, ...kinds }) => {
    const before = seen.size;
    for (const [column, kind] of Object.entries(kinds)) seen.add(`${verdict} ${column} ${kind}`);
    return seen.size > before;
  });
}

function headerOf(name: string, values: readonly string[]): Record<string, readonly string[]> {
  return values.length === 0 ? {} : { [name]: values };
}

function isDown(credential: CredentialKind): boolean {
  return credential === 'unreachable';
}

/** How each call was authenticated, by the lines that the functions wrote. */
function readAuthentications(dataFolder: string): Map<string, string> {
  const files = readdirSync(join(dataFolder, 'logs'), { recursive: true, withFileTypes: true });
  const lines = files
    .filter((file) => file.isFile())
    .flatMap((file) => readFileSync(join(file.parentPath, file.name), 'utf8').split('\n'))
    .filter((line) => line.startsWith('{"neuronEntry":'));
  return new Map(
    lines.map((line) => {
      const { executionId, authentication } = JSON.parse(line) as Record<string, string>;
      return [String(executionId), String(authentication)];
    }),
  );
}
