// Every command under every failure of AWS: it says what happened, why and how to solve it, and never shows a stack trace.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { main } from '../../cli/main.ts';
import { createOutput } from '../../cli/output/print.ts';
import { loadProgram } from '../../cli/program.ts';
import type { Ports } from '../../cli/session/ports.ts';
import { CounterFailure } from '../../core/ports/counters.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createMemoryPorts, neuronRecord, organizationRecord, runWith } from './memory-ports.ts';
import { createMemoryTerminal } from './memory-terminal.ts';

const TESTS = join(import.meta.dirname, '../../examples/tests/careful.yaml');
const FLOW = join(temporaryFolder(), 'flow.yaml');
writeFileSync(FLOW, 'flow: [{ serveOutput: { text: Hello } }]\n');
const EXAMPLE = join(import.meta.dirname, '../../examples/limits.yaml');

/** A command line for each command that works on a stack. */
const LINES: readonly string[] = [
  `apply ${EXAMPLE}`,
  `validate ${EXAMPLE} --stack NeuronApi-test`,
  `test ${TESTS} --record none`,
  'list',
  'list acme',
  'list --provider demo',
  'show acme',
  'show acme/hello',
  'revert acme --to chg-mwqcvpc0-3c5e81b40c5ec68e',
  'revert acme/hello --to chg-mwqcvpc0-3c5e81b40c5ec68e',
  'delete acme/hello',
  'delete acme',
  'versions list acme/hello',
  'versions show acme/hello v2',
  'versions diff acme/hello v2 v1',
  'versions compare acme/hello v2 v1',
  'versions try acme/hello v2 --input Hello',
  `versions try acme/hello --flow ${FLOW} --input Hello`,
  `versions save acme/hello --flow ${FLOW} --message Draft`,
  'versions deploy acme/hello v2',
  'versions undeploy acme/hello',
  'versions key acme/hello v2 --new',
  'versions shadow start acme/hello v1',
  'versions shadow status acme/hello',
  'versions shadow stop acme/hello',
  'versions rollout start acme/hello v2',
  'versions rollout status acme/hello',
  'versions rollout next acme/hello',
  'versions rollout pause acme/hello',
  'versions rollout resume acme/hello',
  'versions rollout promote acme/hello',
  'versions rollout abort acme/hello',
  'keys create acme --name back-end --neurons hello',
  'keys list acme',
  'keys audit acme',
  'keys update acme 0123456789ab --clear-limits',
  'keys pause acme 0123456789ab',
  'keys resume acme 0123456789ab',
  `keys import acme ${import.meta.filename} --expires 90d`,
  'pause acme/hello',
  'block acme --user ada --for 1h',
  'unblock acme --user ada',
  'block list acme',
  'resume acme/hello',
  'keys rotate acme 0123456789ab',
  'keys revoke acme 0123456789ab',
  'explain acme/hello --token-file -',
  'call acme/hello --input Hello',
  'logs acme',
  'logs list acme',
  'logs acme --changes',
  'logs restore',
  `logs export acme --format jsonl --out ${join(temporaryFolder(), 'acme.jsonl')}`,
  'logs verify acme',
  'logs head acme',
  'console --no-open',
  'limits acme',
  'limits acme/hello --user ada',
  'usage acme',
  'cases from-logs acme/hello',
  'users erase acme ada --reason request --yes',
  'users export acme ada',
  'guards report acme',
  'guards test acme',
  'usage acme --by key',
  'usage --all',
  'alerts acme',
  'status acme',
  'status acme/hello',
  'secrets set acme openai --for providers',
  'secrets list acme',
  'secrets remove acme openai --for providers',
  'cache clear acme/hello',
  'organization pause acme',
  'organization resume acme',
  'maintenance on',
  'maintenance off',
  'restore --from restored --as keys --yes',
  'logs rotate-key acme',
  'maintenance status',
  'doctor',
  'doctor --probe',
];
/** These work without a stack. */
const OFFLINE = ['init', 'import litellm', 'import portkey', 'completion', 'help', 'estimate'];

/** An exception as AWS's client for JavaScript makes it of an error response. */
const answered = (name: string, status: number, message = `details of ${name}`) =>
  Object.assign(new Error(message), {
    name,
    $fault: status < 500 ? 'client' : 'server',
    $metadata: { httpStatusCode: status, requestId: '6b2c1f0e' },
  });
const wasRejected = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

const FAILURES: readonly (readonly [string, unknown])[] = [
  ['lack a permission', answered('AccessDeniedException', 400)],
  ['lack a permission', answered('AccessDenied', 403)],
  ['rejected these credentials', answered('ExpiredTokenException', 400)],
  ['rejected these credentials', answered('ExpiredToken', 403)],
  ['No AWS credentials', Object.assign(new Error('none'), { name: 'CredentialsProviderError' })],
  ['throttled', answered('ThrottlingException', 400, 'Rate exceeded')],
  ['throttled', answered('Throttling', 400)],
  ['throttled', answered('ProvisionedThroughputExceededException', 400)],
  ['throttled', answered('TooManyRequestsException', 429)],
  ['throttled', answered('RequestLimitExceeded', 400)],
  ['failed to answer', answered('InternalServerError', 500)],
  ['failed to answer', answered('ServiceUnavailable', 503)],
  ['failed to answer', answered('SomethingNew', 502)],
  ['answered ValidationError', answered('ValidationError', 400)],
  ['answered UnknownError', answered('UnknownError', 418)],
  ['was not found', answered('ResourceNotFoundException', 400)],
  ['could not be reached', wasRejected('ECONNREFUSED')],
  ['could not be reached', wasRejected('EPIPE')],
  ['could not be reached', Object.assign(new Error('slow'), { name: 'TimeoutError' })],
  ['could not be reached', new TypeError('fetch failed', { cause: wasRejected('ENOTFOUND') })],
  ['not trusted', wasRejected('SELF_SIGNED_CERT_IN_CHAIN')],
  ['not trusted', wasRejected('UNABLE_TO_GET_ISSUER_CERT_LOCALLY')],
  ['No AWS region', new Error('Region is missing')],
  [
    'is no AWS region',
    new Error('Region not accepted: region="nowhere!" is not a valid hostname component.'),
  ],
  ['lack a permission', new CounterFailure('unknown', { cause: answered('AccessDeniedException', 400) })],
  [
    'throttled',
    new Error('of ours', { cause: new Error('between', { cause: answered('Throttling', 400) }) }),
  ],
];

function leavesOf(command: Command, path: readonly string[] = []): string[] {
  return command.commands.flatMap((one) => {
    const words = [...path, one.name()];
    // `logs` runs by itself and has a command of its own.
    const own = one.commands.length === 0 || one.registeredArguments.length > 0 ? [words.join(' ')] : [];
    return [...own, ...leavesOf(one, words)];
  });
}

function expectExplained({ stderr, stdout }: { stderr: string; stdout: string }, line: string): void {
  expect(`${stdout}${stderr}`, line).not.toMatch(/^\s+at |This is a defect|\[object|undefined/m);
  if (!stdout.includes('fail ')) expect(stderr, line).toMatch(/^error: \S.*\n {2}\S/ms);
}

/** A stack with one of everything, in which one port rejects whatever it is asked. */
async function portsWithout(name: keyof Ports, failure: unknown): Promise<Ports> {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(
    organizationRecord('acme', { usageLimits: [{ metric: 'requests', limit: 5, period: 'month' }] }),
    'absent',
  );
  const document = {
    access: { apiKey: true },
    rateLimits: [{ metric: 'requests', scope: 'user', limit: 5, period: '1m' }],
  };
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello', document), 'absent');
  // Some methods return a promise, others what is iterated.
  const reject = () => {
    const rejected = Promise.reject(failure);
    rejected.catch(() => undefined);
    return Object.assign(rejected, { [Symbol.asyncIterator]: () => ({ next: () => rejected }) });
  };
  const port = ports[name];
  const failing = typeof port === 'function' ? reject : new Proxy(port, { get: () => reject });
  return { ...ports, [name]: failing };
}

describe('the list of commands', () => {
  it('has every command', async () => {
    const program = await loadProgram(createMemoryTerminal(), async () => undefined);
    const commands = leavesOf(program).filter((name) => !OFFLINE.includes(name));
    const without = commands.filter((name) => !LINES.some((line) => `${line} `.startsWith(`${name} `)));
    expect(without).toEqual([]);
  });
});

describe('a command that cannot find its stack', () => {
  it.each(FAILURES)('says that AWS … %s', async (what, failure) => {
    for (const line of LINES) {
      const terminal = createMemoryTerminal({ piped: 'value' });
      const reject = () => Promise.reject(failure);
      const exitCode = await main(
        [...line.split(' '), '--yes', '--region=eu-west-1'],
        terminal,
        (options) => {
          const out = createOutput(terminal, options);
          return { options, terminal, out, findStack: reject, connect: reject };
        },
      );
      if (line.startsWith('validate') || line.startsWith('doctor')) continue;
      expect({ line, exitCode }).toEqual({ line, exitCode: 1 });
      expect(terminal.printed.stderr, line).toContain(what);
      expectExplained(terminal.printed, line);
    }
  });
});

/** `call` reaches the service itself, `doctor` and the pages of the console show each failure beside what works. */
const SHOWS_FAILURES = ['call', 'doctor', 'console'];

describe('a command under a role that lacks a right', () => {
  const NAMES = [
    ...(['store', 'secrets', 'keys', 'keyReader', 'keyUses', 'secretReader', 'counterReader'] as const),
    ...([
      'logReader',
      'logStore',
      'guardedEntries',
      'usage',
      'slots',
      'alerts',
      'entries',
      'changes',
      'lines',
      'author',
      'openJwt',
    ] as const),
  ];
  const denied = answered('AccessDeniedException', 400);
  it.each(NAMES)('on %s ends with an explanation', async (name) => {
    for (const line of LINES) {
      if (SHOWS_FAILURES.some((name) => line.startsWith(name))) continue;
      const ports = await portsWithout(
        name,
        name === 'counterReader' ? new CounterFailure('unknown', { cause: denied }) : denied,
      );
      const result = await runWith(ports, [...line.split(' '), '--yes'], { piped: 'value' });
      if (result.exitCode !== 0) expectExplained(result, line);
    }
  });

  it('on counters ends `neuron limits` with the missing permission', async () => {
    const ports = await portsWithout('counterReader', new CounterFailure('unknown', { cause: denied }));
    const { exitCode, stderr } = await runWith(ports, ['limits', 'acme']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('These credentials lack a permission for this command.');
  });
});
