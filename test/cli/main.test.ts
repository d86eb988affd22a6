// The command line as a whole: global options anywhere, exit codes, help, usage errors.
import { describe, expect, it } from 'vitest';
import { main } from '../../cli/main.ts';
import { CommandFailure } from '../../cli/output/failure.ts';
import { createOutput } from '../../cli/output/print.ts';
import type { GlobalOptions } from '../../cli/session/options.ts';
import { createMemoryTerminal, type Surroundings } from './memory-terminal.ts';

/** Runs words with a session that keeps its options and fails when it looks for a stack. */
async function run(words: readonly string[], around: Surroundings = {}, failure?: unknown) {
  const terminal = createMemoryTerminal(around);
  const seen: GlobalOptions[] = [];
  const reject = () => Promise.reject(failure ?? new CommandFailure({ what: 'No stack here.' }));
  const exitCode = await main(words, terminal, (options) => {
    seen.push(options);
    const out = createOutput(terminal, options);
    return { options, terminal, out, findStack: reject, connect: reject };
  });
  return { exitCode, options: seen[0], ...terminal.printed };
}

describe('global options', () => {
  it('may be anywhere on the line', async () => {
    const before = await run(['--local', '--json', 'logs', 'acme']);
    const after = await run(['logs', 'acme', '--json', '--local']);
    const within = await run(['secrets', '--local', 'list', '--json', 'acme']);
    for (const { options } of [before, after, within])
      expect(options).toMatchObject({ local: '.local', json: true });
  });

  it('take the folder of --local behind an equals sign only', async () => {
    expect((await run(['--local=other', 'logs', 'acme'])).options?.local).toBe('other');
    expect((await run(['--local', 'logs', 'acme'])).options?.local).toBe('.local');
    expect((await run(['logs', 'acme'])).options?.local).toBeUndefined();
  });

  it('leave colours out with --no-color or NO_COLOR', async () => {
    expect((await run(['logs', 'acme'])).options?.color).toBe(true);
    expect((await run(['logs', 'acme', '--no-color'])).options?.color).toBe(false);
    expect((await run(['logs', 'acme'], { environment: { NO_COLOR: '1' } })).options?.color).toBe(false);
    expect((await run(['logs', 'acme'], { environment: { NO_COLOR: '' } })).options?.color).toBe(true);
  });
});

describe('help and version', () => {
  it('go to standard output and exit with 0', async () => {
    for (const words of [['--help'], ['call', '--help'], ['--version']]) {
      const { exitCode, stdout, stderr } = await run(words);
      expect(exitCode).toBe(0);
      expect(stdout).not.toBe('');
      expect(stderr).toBe('');
    }
    expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await run(['secrets', 'set', '--help'])).stdout).toContain('neuron secrets set [options]');
  });

  it('name every command with a sentence', async () => {
    const { stdout } = await run(['--help']);
    for (const name of ['call', 'logs', 'secrets', 'organization', 'maintenance', 'completion'])
      expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
  });
});

describe('wrong usage', () => {
  it('exits with 2 and suggests the nearest option or command', async () => {
    const command = await run(['log', 'acme']);
    expect(command).toMatchObject({ exitCode: 2, stdout: '' });
    expect(command.stderr).toContain('Did you mean logs?');
    const option = await run(['logs', 'acme', '--sinc', '1h']);
    expect(option).toMatchObject({ exitCode: 2, stdout: '' });
    expect(option.stderr).toContain('Did you mean --since?');
  });

  it('refuses nothing at all, a noun without a verb, too many words and words that are no slugs', async () => {
    for (const words of [
      [],
      ['secrets'],
      ['logs'],
      ['limits', 'acme', 'more'],
      ['logs', 'Acme'],
      ['call', 'acme'],
    ]) {
      const { exitCode, stdout, stderr } = await run(words);
      expect({ words, exitCode, stdout }).toEqual({ words, exitCode: 2, stdout: '' });
      expect(stderr).not.toBe('');
    }
  });
});

describe('failures', () => {
  it('end with 1 and say what, why and how to solve it', async () => {
    const failure = new CommandFailure({ what: 'It broke.', why: 'Because.', remedy: 'Mend it.' });
    expect(await run(['logs', 'acme'], {}, failure)).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: 'error: It broke.\n  Because.\n  Mend it.\n',
    });
  });

  it('of AWS have a remedy', async () => {
    const named = (name: string, message = 'details') => Object.assign(new Error(message), { name });
    const remedies = [
      [named('CredentialsProviderError'), 'No AWS credentials were found.'],
      [named('ExpiredTokenException'), 'AWS rejected these credentials.'],
      [named('AccessDeniedException'), 'These credentials lack a permission for this command.'],
      [new Error('Region is missing'), 'No AWS region is set.'],
      [Object.assign(new Error('no'), { code: 'ENOTFOUND' }), 'AWS could not be reached.'],
    ] as const;
    for (const [error, what] of remedies) {
      const { exitCode, stderr } = await run(['logs', 'acme'], {}, error);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`error: ${what}`);
    }
  });

  it('to reach the local run say how to start it', async () => {
    const rejected = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const { stderr } = await run(['--local=data', 'logs', 'acme'], {}, rejected);
    expect(stderr).toContain('No local run uses the data folder data.');
    expect(stderr).toContain('npm start');
  });
});
