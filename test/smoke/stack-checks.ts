// Checks that look behind the answer: the log entry after it, and functions that cannot run.
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Check, type Deployment, expectAnswer, type Outcome } from './check.ts';
import { ORGANIZATION } from './settings.ts';

const OPEN = `/${ORGANIZATION}/open`;
const hello = { json: { input: 'Hello' } };

export const STACK_CHECKS: readonly Check[] = [
  {
    name: 'entry-after-answer',
    claim:
      'work after the last byte of an answer is never frozen: every call has its log entry within seconds',
    run: everyCallHasItsEntry,
  },
  {
    name: 'throttled-authorizer',
    claim: 'an authorizer that Lambda does not start is answered 503 in our shape',
    run: (deployment) => withoutConcurrency(deployment, /^AuthorizerService.*Function/),
  },
  {
    name: 'throttled-execution',
    claim:
      'an execution function that Lambda does not start is answered 503 in our shape, in STREAM transfer too',
    run: (deployment) => withoutConcurrency(deployment, /^ExecutorService.*Function/),
  },
];

async function everyCallHasItsEntry({ call, neuron, calls }: Deployment): Promise<Outcome> {
  const missing = new Set<string>();
  for (let made = 0; made < calls; made += 1) {
    const { headers } = await call(OPEN, hello);
    missing.add(String(headers['x-execution-id']));
  }
  for (let look = 0; look < 10 && missing.size > 0; look += 1) {
    await sleep(500);
    const { stdout } = await neuron(['logs', `${ORGANIZATION}/open`, '--since', '1h', '--json']);
    for (const id of [...missing]) if (stdout.includes(JSON.stringify(id))) missing.delete(id);
  }
  return missing.size === 0
    ? { ok: `${calls} of ${calls}` }
    : { failed: `no entry of ${missing.size} of ${calls}, such as ${[...missing][0]}` };
}

/** Takes all concurrency from a function, calls once, and gives back what it had. Needs the AWS command line. */
async function withoutConcurrency(
  { isLocal, interrupt, stackName, call }: Deployment,
  logicalId: RegExp,
): Promise<Outcome> {
  if (isLocal) return { notTried: 'only Lambda throttles so' };
  if (!interrupt || stackName === undefined)
    return { notTried: 'stops the service for a moment: --interrupt, with --stack' };
  const name = findFunction(stackName, logicalId);
  if (name === undefined) return { failed: `the stack ${stackName} has no function ${logicalId.source}` };
  const before = lambda(['get-function-concurrency', '--function-name', name])[
    'ReservedConcurrentExecutions'
  ];
  lambda(['put-function-concurrency', '--function-name', name, '--reserved-concurrent-executions', '0']);
  try {
    await sleep(5_000);
    return expectAnswer(await call(OPEN, hello), 503, 'overloaded');
  } finally {
    if (typeof before === 'number')
      lambda([
        'put-function-concurrency',
        '--function-name',
        name,
        '--reserved-concurrent-executions',
        String(before),
      ]);
    else lambda(['delete-function-concurrency', '--function-name', name]);
  }
}

function findFunction(stackName: string, logicalId: RegExp): string | undefined {
  const { StackResources } = aws([
    'cloudformation',
    'describe-stack-resources',
    '--stack-name',
    stackName,
  ]) as {
    readonly StackResources?: readonly {
      LogicalResourceId: string;
      PhysicalResourceId: string;
      ResourceType: string;
    }[];
  };
  return StackResources?.find(
    (resource) =>
      resource.ResourceType === 'AWS::Lambda::Function' && logicalId.test(resource.LogicalResourceId),
  )?.PhysicalResourceId;
}

const lambda = (words: readonly string[]) => aws(['lambda', ...words]);

function aws(words: readonly string[]): Readonly<Record<string, unknown>> {
  const printed = execFileSync('aws', [...words, '--output', 'json'], { encoding: 'utf8' });
  return printed.trim() === '' ? {} : JSON.parse(printed);
}
