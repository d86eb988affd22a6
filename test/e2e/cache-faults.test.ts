// The response cache when its store, its search or its embeddings fail, are slow or answer garbage: the flow answers, and the log
// says so. And in which order a request goes to its stores.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '../faults/faulty-service.ts';
import { type AccessStack, plantKey, readNeuron, startAccessStack } from './support/access-stack.ts';
import { cacheSettings } from './support/cache-settings.ts';
import type { Answer } from './support/call.ts';
import { type EmbeddingFault, type ScriptedModels, startScriptedModels } from './support/scripted-models.ts';
import { settled } from './support/served.ts';
import { ENGINE, isLocal } from './support/stack.ts';
import { dumpTable, findEntry, outputOf } from './support/tables.ts';

describe.runIf(isLocal && ENGINE === 'dynoxide')('the response cache behind faults', () => {
  let models: ScriptedModels;
  let run: AccessStack;
  let table: string;
  let authorization: string;

  beforeAll(async () => {
    models = await startScriptedModels();
    run = await startAccessStack({ settings: cacheSettings(models.baseUrl), concurrency: 1 });
    table = outputOf(run.dataFolder, 'CacheTable');
    const { organization } = await readNeuron(run.store, 'acme', 'semantic');
    authorization = `Bearer ${(await plantKey(run.keys, organization.id)).key}`;
  });
  afterAll(async () => {
    await run?.stop();
    await models?.stop();
  });

  const ask = (input: string) =>
    settled(run.stack.call('/acme/semantic', { json: { input }, headers: { authorization } }));
  const cacheOf = (answer: Answer) => ({ status: answer.status, cache: answer.headers['x-cache'] });
  const MISS = { status: 200, cache: 'miss' };
  const entryOf = async (answer: Answer) => {
    const id = String(answer.headers['x-execution-id']);
    await expect.poll(() => findEntry(run, id), { message: `the entry of ${id}` }).toBeDefined();
    return { ...(await findEntry(run, id)) };
  };
  /** Lets calls of the cache table with one of the operations go wrong. */
  const breakStore = (fault: Fault, ...operations: string[]) =>
    run.tables.injectFaults(({ operation, body }) =>
      body.includes(JSON.stringify(table)) && operations.includes(operation) ? fault : undefined,
    );
  const breakEmbeddings = (fault: EmbeddingFault) => models.breakEmbeddings(fault);
  const mend = () => {
    run.tables.injectFaults(() => undefined);
    breakEmbeddings(undefined);
    models.onCall(() => undefined);
  };

  afterEach(async () => {
    mend();
    // An embedding that goes well: after five in a row that do not, the next ones would not be asked for.
    const input = fresh();
    await ask(input);
    // When this entry is put, everything that calls leave behind is written.
    await entryOf(await ask(input));
  });

  let orders = 0;
  /** Another number each time: the guard keeps what one test asks apart from what others did. */
  const fresh = () => {
    orders += 1;
    return `where is order ${orders}`;
  };

  it.each([
    ['fail', 'GetItem', ['read', 'search']],
    ['drop', 'GetItem', ['read', 'search']],
    ['hang', 'GetItem', ['read', 'search']],
    ['fail', 'SearchVectors', ['search']],
    ['hang', 'SearchVectors', ['search']],
  ] as const)('answers by a run when calls of the table %s: %s', async (fault, operation, failures) => {
    const input = fresh();
    // By reading, the same input finds it; by searching, one that only a semantic search finds.
    const other = operation === 'GetItem' ? input : `tell me ${input}`;
    expect(cacheOf(await ask(input))).toEqual(MISS);
    expect(cacheOf(await ask(other)).cache).toBe(operation === 'GetItem' ? 'exact' : 'semantic');
    breakStore(fault, operation);
    const answer = await ask(other);
    mend();
    expect(cacheOf(answer)).toEqual(MISS);
    expect(await entryOf(answer)).toMatchObject({
      outcome: 'success',
      cache: 'miss',
      cacheFailures: failures,
    });
  });

  it.each(['fail', 'hang'] as const)(
    'answers when writes to the cache %s, and has kept nothing',
    async (fault) => {
      breakStore(fault, 'PutItem');
      const input = fresh();
      const answer = await ask(input);
      const again = await ask(input);
      mend();
      expect([answer, again].map(cacheOf)).toEqual([MISS, MISS]);
      expect((await entryOf(answer))['outcome']).toBe('success');
    },
  );

  it.each(['hang', 'fail', 'short', 'html'] satisfies EmbeddingFault[])(
    'answers by a run when embeddings %s',
    async (fault) => {
      breakEmbeddings(fault);
      const input = fresh();
      const answer = await ask(input);
      mend();
      expect(cacheOf(answer)).toEqual(MISS);
      expect(await entryOf(answer)).toMatchObject({ cacheFailures: ['embedding'] });
      // It was kept under its input all the same.
      expect(cacheOf(await ask(input)).cache).toBe('exact');
    },
  );

  it('answers by a run when what is stored is no answer', async () => {
    const input = fresh();
    await ask(input);
    expect(cacheOf(await ask(input)).cache).toBe('exact');
    const items = (await dumpTable(run.client, table)).map(
      (item) => JSON.parse(item) as Record<string, unknown>,
    );
    for (const item of items.filter(({ output }) => typeof output === 'string')) {
      await run.client.send(new PutCommand({ TableName: table, Item: { ...item, output: { not: 'text' } } }));
    }
    const answer = await ask(input);
    expect(cacheOf(answer)).toEqual(MISS);
    expect((await entryOf(answer))['cacheFailures']).toEqual(['read', 'search']);
  });

  it('goes to its stores in this order: read, search, then the model, and writes when the entry is put', async () => {
    const logs = outputOf(run.dataFolder, 'LogsTable');
    const known = fresh();
    const steps: string[] = [];
    models.onCall((kind) => steps.push(kind));
    run.tables.injectFaults(({ operation, body }) => {
      if (body.includes(JSON.stringify(table))) steps.push(`${operation} cache`);
      else if (body.includes(JSON.stringify(logs))) steps.push(`${operation} log`);
      return undefined;
    });
    const stepsOf = async (input: string, cache: string, expected: readonly string[]) => {
      steps.length = 0;
      expect(cacheOf(await ask(input)).cache).toBe(cache);
      await expect.poll(() => steps.length).toBe(expected.length);
      expect(steps).toEqual(expected);
    };
    const search = ['GetItem cache', 'embeddings', 'SearchVectors cache'];
    const writes = ['PutItem log', 'PutItem cache', 'PutItem cache'];
    await stepsOf(known, 'miss', [...search, 'chat', ...writes]);
    await stepsOf(known, 'exact', ['GetItem cache', 'PutItem log']);
    await stepsOf(`tell me ${known}`, 'semantic', [...search, 'GetItem cache', 'PutItem log']);
  });
});
