// `npm run smoke` against the local stack: what applies here passes, the rest says why it was not tried.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKS } from '../smoke/checks.ts';
import { ROOT, runNode } from './support/command.ts';
import { ENGINE, isLocal, type Stack, startStack } from './support/stack.ts';

// dynalite has neither streams nor vector indexes, which the checks look for.
describe.runIf(isLocal && ENGINE === 'dynoxide')('the smoke checks', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.stop());

  it('pass against the local stack, and leave nothing behind', { timeout: 120_000 }, async () => {
    const { exitCode, stdout, stderr } = await runNode([
      'test/smoke/main.ts',
      `--url=${stack.url}`,
      `--local=${stack.dataFolder}`,
      '--calls=5',
    ]);
    expect({ exitCode, stderr, failed: stdout.match(/^FAILED.*$/gm) }).toEqual({
      exitCode: 0,
      stderr: '',
      failed: null,
    });
    const notTried = [...stdout.matchAll(/^not tried (\S+):/gm)].map(([, name]) => name);
    expect(notTried).toEqual([
      ...['too-large-in-a-page', 'names-are-resolved', 'beyond-29-seconds'],
      ...['streams-as-written', 'old-tls'],
      ...['throttled-authorizer', 'throttled-execution'],
    ]);
    expect(stdout.match(/^ok /gm)).toHaveLength(CHECKS.length - notTried.length);
    expect(await stack.operate(['list'])).not.toContain('smoke-check');
  });

  it('refuse to run without a URL', async () => {
    expect(await runNode(['test/smoke/main.ts'])).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('the smoke checks as a step of a pipeline', () => {
  it('end with 1 and a sentence where nothing answers', async () => {
    const { exitCode, stdout, stderr } = await runNode([
      'test/smoke/main.ts',
      '--url=http://127.0.0.1:9',
      '--local=/nowhere/at/all',
      '--json',
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^error: /);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('docs/verified.md', () => {
  const lines = readFileSync(join(ROOT, 'docs/verified.md'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('| unverified |'));

  it('names for each unverified claim a check of the smoke run, or says what to do by hand', () => {
    const names = CHECKS.map(({ name }) => name);
    const without = lines.filter((line) => {
      const named = [...line.matchAll(/smoke `([a-z0-9-]+)`/g)].map(([, name]) => name!);
      return (
        named.some((name) => !names.includes(name)) || (named.length === 0 && !line.includes('by hand:'))
      );
    });
    expect(without).toEqual([]);
  });

  it('has a line for each check', () => {
    const text = readFileSync(join(ROOT, 'docs/verified.md'), 'utf8');
    expect(CHECKS.filter(({ name }) => !text.includes(`smoke \`${name}\``)).map(({ name }) => name)).toEqual(
      [],
    );
  });
});
