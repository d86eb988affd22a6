// `npm run smoke -- --url URL [--stack NAME | --local DIR]`: tries every claim of docs/verified.md that only a deployment can settle.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommanderError } from 'commander';
import { callUrl } from '../e2e/support/call.ts';
import { runNeuron } from '../e2e/support/command.ts';
import type { Check, Deployment, Outcome } from './check.ts';
import { CHECKS, tryCheck } from './checks.ts';
import { parseSmokeOptions, type SmokeOptions } from './options.ts';
import { ORGANIZATION, SETTINGS } from './settings.ts';

async function main(args: readonly string[]): Promise<number> {
  let options: SmokeOptions;
  try {
    options = parseSmokeOptions(args);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
  const { url, stack, local, region, profile, transferMode, calls, slow, interrupt } = options;
  const where = Object.entries({ stack, local, region, profile }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  const deployment: Deployment = {
    ...{ url, transferMode, calls, slow, interrupt },
    isLocal: local !== undefined,
    stackName: stack,
    call: (path, callOptions) => callUrl(url, path, callOptions),
    neuron: (words) => runNeuron([...words, ...where, '--yes']),
  };
  try {
    return await withOrganization(deployment, () => runAll(deployment, options.json));
  } catch (error) {
    // Such as a URL where nothing answers: for a pipeline's log, a sentence and no stack.
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    const why = cause instanceof Error ? ` (${cause.message})` : '';
    process.stderr.write(
      `error: The checks could not be made: ${message}${why}\n  Check --url, --stack and the network.\n`,
    );
    return 1;
  }
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
    if (await untilKnown(deployment)) return await run();
    process.stderr.write(
      `error: ${deployment.url} does not answer for the settings that were just applied.\n  Check that --url and --stack name the same deployment.\n`,
    );
    return 1;
  } finally {
    await neuron(['delete', ORGANIZATION]);
    rmSync(folder, { recursive: true });
  }
}

/** Settings act a moment after they are applied. False when they never do. */
async function untilKnown({ call }: Deployment): Promise<boolean> {
  for (let tries = 0; tries < 30; tries += 1) {
    const { status } = await call(`/${ORGANIZATION}/open`, { json: { input: 'Hello' } });
    if (status === 200) return true;
    await sleep(1_000);
  }
  return false;
}

async function runAll(deployment: Deployment, json: boolean): Promise<number> {
  let failed = 0;
  for (const check of CHECKS) {
    const outcome = await tryCheck(check, deployment);
    if ('failed' in outcome) failed += 1;
    process.stdout.write(`${json ? renderJson(check, outcome) : render(check, outcome)}\n`);
  }
  const summary = failed === 0 ? 'smoke: nothing failed\n' : `smoke: ${failed} failed\n`;
  (json ? process.stderr : process.stdout).write(summary);
  return failed === 0 ? 0 : 1;
}

function render({ name, claim }: Check, outcome: Outcome): string {
  if ('ok' in outcome) return `ok        ${name}: ${outcome.ok}`;
  if ('notTried' in outcome) return `not tried ${name}: ${outcome.notTried}`;
  return `FAILED    ${name}: ${claim}: ${outcome.failed}`;
}

/** `outcome` is `ok`, `failed` or `notTried`; `detail` is what was seen, or why it was not tried. */
function renderJson({ name, claim }: Check, outcome: Outcome): string {
  const [[kind, detail] = []] = Object.entries(outcome);
  return JSON.stringify({ name, claim, outcome: kind, detail });
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
