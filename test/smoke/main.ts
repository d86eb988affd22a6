// `npm run smoke -- --url URL [--stack NAME | --local DIR]`: tries every claim of docs/verified.md that only a deployment can settle.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { callUrl } from '../e2e/support/call.ts';
import { runNeuron } from '../e2e/support/command.ts';
import { ANSWER_CHECKS } from './answer-checks.ts';
import { BEHIND_CHECKS } from './behind-checks.ts';
import type { Check, Deployment, Outcome } from './check.ts';
import { ORGANIZATION, SETTINGS } from './settings.ts';
import { STACK_CHECKS } from './stack-checks.ts';

/** All of them, in the order in which they run. */
export const CHECKS: readonly Check[] = [...ANSWER_CHECKS, ...BEHIND_CHECKS, ...STACK_CHECKS];

const USAGE = `npm run smoke -- --url URL [--stack NAME | --local DIR] [--region R] [--profile P] [--transfer-mode BUFFERED]
                 [--calls N] [--slow] [--interrupt]
Makes the organization ${ORGANIZATION}, calls it and deletes it again: it needs the rights of an operator.
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      stack: { type: 'string' },
      local: { type: 'string' },
      region: { type: 'string' },
      profile: { type: 'string' },
      'transfer-mode': { type: 'string', default: 'STREAM' },
      calls: { type: 'string', default: '20' },
      slow: { type: 'boolean', default: false },
      interrupt: { type: 'boolean', default: false },
    },
  });
  const { url, stack, local, region, profile } = values;
  const calls = Number(values.calls);
  if (url === undefined || !URL.canParse(url) || !Number.isInteger(calls) || calls < 1) {
    process.stderr.write(USAGE);
    return 2;
  }
  const where = Object.entries({ stack, local, region, profile }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  const deployment: Deployment = {
    url,
    isLocal: local !== undefined,
    transferMode: values['transfer-mode'] === 'BUFFERED' ? 'BUFFERED' : 'STREAM',
    calls,
    slow: values.slow,
    interrupt: values.interrupt,
    stackName: stack,
    call: (path, options) => callUrl(url, path, options),
    neuron: (words) => runNeuron([...words, ...where, '--yes']),
  };
  return withOrganization(deployment, () => runAll(deployment));
}

async function withOrganization(deployment: Deployment, run: () => Promise<number>): Promise<number> {
  const { neuron } = deployment;
  const folder = mkdtempSync(join(tmpdir(), 'neuron-smoke-'));
  const file = join(folder, 'smoke.yaml');
  writeFileSync(file, SETTINGS);
  try {
    const applied = await neuron(['apply', file]);
    if (applied.exitCode !== 0) {
      process.stderr.write(`${applied.stderr}The checks need the rights of an operator.\n`);
      return 1;
    }
    await untilKnown(deployment);
    return await run();
  } finally {
    await neuron(['delete', ORGANIZATION]);
    rmSync(folder, { recursive: true });
  }
}

/** Settings act a moment after they are applied. */
async function untilKnown({ call }: Deployment): Promise<void> {
  for (let tries = 0; tries < 30; tries += 1) {
    const { status } = await call(`/${ORGANIZATION}/open`, { json: { input: 'Hello' } });
    if (status === 200) return;
    await sleep(1_000);
  }
}

async function runAll(deployment: Deployment): Promise<number> {
  let failed = 0;
  for (const check of CHECKS) {
    const outcome = await check
      .run(deployment)
      .catch(
        (error: unknown): Outcome => ({ failed: error instanceof Error ? error.message : String(error) }),
      );
    if ('failed' in outcome) failed += 1;
    process.stdout.write(`${render(check, outcome)}\n`);
  }
  process.stdout.write(failed === 0 ? 'smoke: nothing failed\n' : `smoke: ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

function render({ name, claim }: Check, outcome: Outcome): string {
  if ('ok' in outcome) return `ok        ${name}: ${outcome.ok}`;
  if ('notTried' in outcome) return `not tried ${name}: ${outcome.notTried}`;
  return `FAILED    ${name}: ${claim}: ${outcome.failed}`;
}

if (import.meta.main) process.exitCode = await main();
