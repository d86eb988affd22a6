// The erasure of a person who has an entry: whoever may not erase leaves it whole, and whoever may puts its rest over it and deletes no item of the log.
import { callUrl } from '../e2e/support/call.ts';
import { ORGANIZATION } from '../smoke/settings.ts';
import type { Credentials } from './emulator.ts';
import { REFUSED, type RoleName } from './role-commands.ts';
import type { Check } from './row.ts';
import { findOrigin, outcomeOf, readOutputs, type World } from './world.ts';

/** Said for the person, and repeated by the model. */
const SAID = 'the-lamplighter-said-so';
const END_USER = 'ann';
/** The rollup function seals, and adds up usage, within so many tries of a second and more each. */
const MAX_TRIES = 60;
/** With the operator's rights, or the same and others. */
const NOT_ERASERS = ['operator', 'restorer', 'exporter'] as const;
const DENIED = 'AccessDeniedException';

interface People {
  readonly stack: string;
  readonly roles: Readonly<Record<RoleName, Credentials>>;
}

type Key = Readonly<Record<'pk' | 'sk', { readonly S: string }>>;

export function personChecks(world: World, { stack, roles }: People): readonly Check[] {
  let username = '';
  const run = (role: RoleName, words: readonly string[]) =>
    world.neuron([...words, '--stack', stack, '--yes'], { credentials: roles[role] });
  const said = async (role: RoleName, words: readonly string[]) => {
    const { exitCode, stdout, stderr } = await run(role, words);
    return `exit code ${exitCode}: ${`${stdout}${stderr}`.trim()}`;
  };
  const erase = () => ['users', 'erase', ORGANIZATION, username, '--reason', 'asked'];
  const raw = async (operation: string, table: 'LogsTable' | 'UsageTable', parameters: object) => {
    const { [table]: TableName } = await readOutputs(world, stack);
    return world.emulator.aws('dynamodb', operation, { TableName, ...parameters }, roles.eraser);
  };
  const denied = async (...request: Parameters<typeof raw>) => {
    try {
      await raw(...request);
      return 'no error';
    } catch (error) {
      return /AccessDenied\w*/.exec(String(error))?.[0] ?? String(error);
    }
  };
  const findKey = async (): Promise<Key> => {
    const { Items } = (await raw('scan', 'LogsTable', { ConsistentRead: true })) as {
      readonly Items: readonly (Key & { readonly username?: { readonly S: string } })[];
    };
    const found = Items.find((item) => item.username?.S === username);
    if (found === undefined) throw new Error('no entry of the person');
    return { pk: found.pk, sk: found.sk };
  };
  let key: Key;
  return [
    {
      name: 'a call for an end user of a key',
      expected: '200',
      async observe() {
        const words = ['keys', 'create', ORGANIZATION, '--name', 'people', '--on-behalf-of', '--json'];
        const created = await world.neuron([...words, '--stack', stack, '--yes']);
        if (created.exitCode !== 0) return outcomeOf(created);
        const { keyId, key: secret } = JSON.parse(created.stdout) as {
          readonly keyId: string;
          readonly key: string;
        };
        username = `nrn_${keyId}/${END_USER}`;
        const { status } = await callUrl(await findOrigin(world, 'dev'), `/${ORGANIZATION}/private`, {
          json: { input: SAID },
          headers: { authorization: `Bearer ${secret}`, 'x-end-user': END_USER },
        });
        return String(status);
      },
    },
    ...NOT_ERASERS.map(
      (role): Check => ({
        name: `${role}: neuron users erase of a person with an entry is refused`,
        expected: REFUSED,
        observe: () => said(role, erase()),
      }),
    ),
    {
      name: 'eraser: neuron users export has the entry',
      expected: /^exit code 0: [\s\S]*"place":"log"[\s\S]*"log":1\b/,
      observe: async () => {
        key = await findKey();
        return said('eraser', ['users', 'export', ORGANIZATION, username]);
      },
    },
    ...(['delete_item', 'update_item'] as const).map(
      (operation): Check => ({
        name: `eraser: ${operation} of the entry`,
        expected: DENIED,
        observe: () => denied(operation, 'LogsTable', { Key: key }),
      }),
    ),
    {
      name: 'eraser: delete_item of a seal',
      expected: DENIED,
      observe: () => denied('delete_item', 'UsageTable', { Key: { pk: { S: 'SEALS' }, sk: { S: 'any' } } }),
    },
    {
      name: 'eraser: neuron users erase puts the rest over the entry',
      expected: /^exit code 0: Erased in \S+: 1 log entries/,
      observe: () => said('eraser', erase()),
    },
    {
      name: 'nothing of the person is in the log',
      expected: 'erased, without the name, the text and the address',
      async observe() {
        const answer = await raw('get_item', 'LogsTable', { Key: key, ConsistentRead: true });
        const text = JSON.stringify(answer);
        const left = [username, SAID, 'sourceIp'].filter((one) => text.includes(one));
        if (left.length > 0) return `left: ${left.join(', ')}`;
        return `${text.includes('erasedBy') ? 'erased' : 'whole'}, without the name, the text and the address`;
      },
    },
    {
      name: 'auditor: neuron logs verify names the erasure and passes',
      expected: /^exit code 0: [\s\S]*1 of a person erased at /,
      async observe() {
        const words = ['logs', 'verify', ORGANIZATION, '--since', '1h'];
        let seen = await said('auditor', words);
        for (let tries = 0; tries < MAX_TRIES && !seen.startsWith('exit code 0'); tries += 1) {
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          seen = await said('auditor', words);
        }
        return seen;
      },
    },
    {
      name: 'eraser: neuron users erase again finds nothing',
      expected: /^exit code 0: Nothing is kept of this person/,
      observe: () => said('eraser', erase()),
    },
  ];
}
