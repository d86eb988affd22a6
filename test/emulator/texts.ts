// Rights without texts: a call whose text the auditor reads and the viewer does not, by the command and by requests of its own.
import { callUrl } from '../e2e/support/call.ts';
import { ORGANIZATION } from '../smoke/settings.ts';
import type { Credentials } from './emulator.ts';
import type { Check } from './row.ts';
import { findOrigin, readOutputs, type World } from './world.ts';

/** Said by the caller, and by the model, which repeats it. */
const SAID = 'the-lighthouse-keeper-said-so';

interface TextReaders {
  readonly stack: string;
  readonly auditor: Credentials;
  readonly viewer: Credentials;
}

/** The id of a call whose texts are kept in full: settings must say so by now. */
export async function callWithText(world: World): Promise<string> {
  const origin = await findOrigin(world, 'dev');
  const { status, headers } = await callUrl(origin, `/${ORGANIZATION}/open`, { json: { input: SAID } });
  if (status !== 200) throw new Error(`the call was answered ${status}`);
  return String(headers['x-execution-id']);
}

/** `executionId` gives the id that `callWithText` gave. */
export function textChecks(
  world: World,
  { stack, auditor, viewer }: TextReaders,
  executionId: () => string,
): readonly Check[] {
  const shown = async (credentials: Credentials, words: readonly string[]) => {
    const { exitCode, stdout, stderr } = await world.neuron(
      ['logs', ORGANIZATION, ...words, '--stack', stack],
      {
        credentials,
      },
    );
    const text = stdout.includes(SAID) ? 'with the text' : 'without the text';
    const note = /credentials may not read/.test(stderr) ? ', and says so' : '';
    return `exit code ${exitCode}, ${stdout.includes(executionId()) ? 'the entry ' : ''}${text}${note}`;
  };
  /** The code of the error, or that there is none. */
  const raw = async (operation: string, parameters: object) => {
    const { LogsTable: TableName } = await readOutputs(world, stack);
    try {
      const answer = await world.emulator.aws('dynamodb', operation, { TableName, ...parameters }, viewer);
      return JSON.stringify(answer).includes(SAID) ? 'the text' : 'no error';
    } catch (error) {
      return /AccessDenied\w*/.exec(String(error))?.[0] ?? String(error);
    }
  };
  const id = async () => {
    const { LogsTable: TableName } = await readOutputs(world, stack);
    const { Items } = (await world.emulator.aws('dynamodb', 'query', {
      TableName,
      IndexName: 'byExecution1',
      KeyConditionExpression: 'executionId = :id',
      ExpressionAttributeValues: { ':id': { S: executionId() } },
    })) as { readonly Items: readonly Readonly<Record<'pk' | 'sk', { readonly S: string }>>[] };
    const [{ pk, sk } = { pk: { S: '' }, sk: { S: '' } }] = Items;
    return { pk, sk };
  };
  const query = async (members: object) => {
    const { pk, sk } = await id();
    return raw('query', {
      KeyConditionExpression: 'pk = :pk AND sk = :sk',
      ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
      ...members,
    });
  };
  const denied = 'AccessDeniedException';
  const asViewer = (name: string, expected: string, observe: () => Promise<string>): Check => ({
    name: `viewer: ${name}`,
    expected,
    observe,
  });
  return [
    {
      name: 'auditor: neuron logs --id shows the text of a call',
      expected: 'exit code 0, the entry with the text',
      observe: () => shown(auditor, ['--id', executionId(), '--json']),
    },
    asViewer(
      'neuron logs --id shows the entry, and leaves the text out',
      'exit code 0, the entry without the text, and says so',
      () => shown(viewer, ['--id', executionId(), '--json']),
    ),
    asViewer('neuron logs shows no text', 'exit code 0, the entry without the text', () =>
      shown(viewer, ['--json']),
    ),
    asViewer('GetItem of the entry', denied, async () => raw('get_item', { Key: await id() })),
    asViewer('GetItem of its input alone', denied, async () =>
      raw('get_item', { Key: await id(), ProjectionExpression: 'input' }),
    ),
    asViewer('GetItem of its cost alone', denied, async () =>
      raw('get_item', { Key: await id(), ProjectionExpression: 'costMicrodollars' }),
    ),
    asViewer('Query of all its attributes', denied, () => query({})),
    asViewer('Query with Select: ALL_ATTRIBUTES', denied, () => query({ Select: 'ALL_ATTRIBUTES' })),
    ...['input', 'output', 'trace', 'packed', 'feedback', 'input.#text', 'sk, trace[0]'].map((expression) =>
      asViewer(`Query of ${expression}`, denied, () =>
        query({
          Select: 'SPECIFIC_ATTRIBUTES',
          ProjectionExpression: expression,
          ...(expression.includes('#text') ? { ExpressionAttributeNames: { '#text': 'text' } } : {}),
        }),
      ),
    ),
    asViewer('Query of its cost', 'no error', () =>
      query({ Select: 'SPECIFIC_ATTRIBUTES', ProjectionExpression: 'costMicrodollars' }),
    ),
    asViewer('Scan', denied, () => raw('scan', {})),
    asViewer('PartiQL', denied, async () => {
      const { LogsTable } = await readOutputs(world, stack);
      try {
        await world.emulator.aws(
          'dynamodb',
          'execute_statement',
          { Statement: `SELECT * FROM "${LogsTable}"` },
          viewer,
        );
        return 'no error';
      } catch (error) {
        return /AccessDenied\w*/.exec(String(error))?.[0] ?? String(error);
      }
    }),
    asViewer('Query of changes, which hold prompts', denied, () =>
      raw('query', {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: `CHANGES#${ORGANIZATION}` } },
        Select: 'SPECIFIC_ATTRIBUTES',
        ProjectionExpression: 'sk',
      }),
    ),
  ];
}
