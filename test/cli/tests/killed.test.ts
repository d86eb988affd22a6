// A process that is killed at any of its writes: nothing is torn, and no call but the one under way is paid for twice.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { someOf } from '../../support/every-case.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, runWith } from '../memory-ports.ts';

let calls = 0;
const server = createServer((request, response) => {
  calls += 1;
  request.resume();
  const message = { role: 'assistant', content: 'At nine.' };
  const usage = { prompt_tokens: 1, completion_tokens: 1 };
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({ model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }),
  );
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

function folderWith(): string {
  const folder = temporaryFolder();
  const { port } = server.address() as AddressInfo;
  const provider = `{ type: openai, baseUrl: 'http://127.0.0.1:${port}/v1' }`;
  writeFileSync(
    join(folder, 'a.yaml'),
    `organization: acme\nproviders: { nearby: ${provider} }\n---\nneuron: acme/support\nflow: [{ callModel: { provider: nearby, model: m } }]\n`,
  );
  const cases = ['c', 'a', 'b'].map(
    (name) => `  - { name: ${name}, input: When ${name}?, assert: [{ type: contains, value: nine }] }`,
  );
  writeFileSync(join(folder, 'tests.yaml'), `tests: acme/support\ncases:\n${cases.join('\n')}\n`);
  return folder;
}

async function runChild(folder: string, at: number, moment: string) {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'killed-child.ts'), folder, String(at), moment],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  const [code, signal] = await once(child, 'close');
  return { code, signal, stdout };
}

const run = (folder: string, ...words: string[]) =>
  runWith(createMemoryPorts(), ['--local', 'test', '.', ...words], { folder, environment: {} });

/** An empty file takes the place of none, a line for each call, and the sorted file. */
const WRITES = 7;
const MOMENTS = Array.from({ length: WRITES }, (_, at) => at + 1).flatMap((at) =>
  (['within', 'after'] as const).map((moment) => ({ at, moment })),
);

describe('a run that is killed', () => {
  it('has no other writes than those that are tried', async () => {
    const folder = folderWith();
    const { code, stdout } = await runChild(folder, 0, 'within');
    expect([code, stdout]).toEqual([0, `${WRITES} writes\n`]);
  });

  it.each(someOf(MOMENTS, 3))('$moment its write $at goes on where it was', async ({ at, moment }) => {
    const folder = folderWith();
    calls = 0;
    expect(await runChild(folder, at, moment)).toMatchObject({ code: null, signal: 'SIGKILL' });
    const made = calls;
    const read = await run(folder, '--record', 'none');
    expect([read.stderr.includes('is no recording'), calls]).toEqual([false, made]);
    expect(await run(folder)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(calls).toBeLessThanOrEqual(3 + 1);
    const names = readdirSync(join(folder, '.neuron-recordings'));
    const lines = readFileSync(join(folder, '.neuron-recordings/tests.jsonl'), 'utf8').trimEnd().split('\n');
    expect([names, lines.map((line) => JSON.parse(line).case)]).toEqual([['tests.jsonl'], ['a', 'b', 'c']]);
    const whole = calls;
    expect(await run(folder, '--record', 'none')).toMatchObject({ exitCode: 0 });
    expect(calls).toBe(whole);
  });
});
