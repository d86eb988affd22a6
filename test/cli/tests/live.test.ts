// `neuron test` with calls that are made: what they may cost, where secrets come from, what is kept, and neurons at an address.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestReport } from '../../../cli/json/tests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, neuronRecord, organizationRecord, runWith } from '../memory-ports.ts';

const KEY = 'sk-of-the-provider-7391';
const LEAKED = 'ghp_0123456789abcdefghijABCDEFGHIJ456789';

/** Requests that the server has seen. */
const seen: { readonly url: string; readonly authorization: string; readonly body: string }[] = [];

/** A provider with the interface of OpenAI, and a stage of this service. */
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => {
    body += chunk.toString();
  });
  request.on('end', () => {
    seen.push({ url: request.url ?? '', authorization: request.headers.authorization ?? '', body });
    response.setHeader('content-type', 'application/json');
    if (request.url === '/check') {
      response.end('{"verdict":"pass"}');
      return;
    }
    if (request.url?.split('?')[0] === '/stage/acme/support/v8') {
      response.setHeader('X-Cost-Microdollars', '12');
      response.end('{"output":"At nine.","fromCache":false,"executionStopped":false}');
      return;
    }
    if (request.url === '/v1/embeddings') {
      const { input } = JSON.parse(body) as { readonly input: readonly string[] };
      // A vector without direction is no answer.
      const data = input.map((text, index) => ({ index, embedding: text === 'nothing' ? [0, 0] : [1, 1] }));
      response.statusCode = input.includes('nowhere') ? 400 : 200;
      response.end(JSON.stringify({ model: 'e-1', data, usage: { prompt_tokens: 20 } }));
      return;
    }
    const isJudge = body.includes('judge');
    const content = isJudge ? '{"pass":true,"score":0.9,"reason":"polite"}' : `At nine, ${LEAKED}.`;
    const message = { role: 'assistant', content };
    const usage = { prompt_tokens: 100, completion_tokens: 10 };
    response.end(
      JSON.stringify({ model: 'm-1', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }),
    );
  });
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

const TESTS = `tests: acme/support
judge: acme/judge
cases:
  - name: hours
    input: When?
    repeat: 2
    assert:
      - { type: contains, value: nine }
      - { type: llm-rubric, value: is polite, threshold: 0.8 }
      - { type: cost, threshold: 0.0012 }
`;

function folderWith(): string {
  const folder = temporaryFolder();
  const provider = `{ type: openai, baseUrl: 'http://127.0.0.1:${port}/v1', apiKey: { secret: openai-key } }`;
  writeFileSync(
    join(folder, 'a.yaml'),
    `organization: acme
providers: { nearby: ${provider} }
prices: { nearby/m: { input: 10, output: 10 } }
---
neuron: acme/support
flow: [{ callModel: { provider: nearby, model: m, maxTokens: 10 } }]
---
neuron: acme/judge
flow: [{ systemInstructions: You judge. }, { callModel: { provider: nearby, model: m, maxTokens: 10, prompt: 'judge {{input}}' } }]
`,
  );
  writeFileSync(join(folder, 'tests.yaml'), TESTS);
  return folder;
}

const environment = { NEURON_SECRET_OPENAI_KEY: KEY };
const run = (folder: string, words: readonly string[], around: object = { environment }) =>
  runWith(createMemoryPorts(), ['--local', 'test', '.', '--json', ...words], { folder, ...around });
const reportOf = (stdout: string) => JSON.parse(stdout) as TestReport;
const recordings = (folder: string) => readFileSync(join(folder, '.neuron-recordings/tests.jsonl'), 'utf8');

describe('neuron test with calls', () => {
  it('makes them with the secret of the environment, lets the judge judge, and keeps neither key nor secret', async () => {
    const folder = folderWith();
    const { exitCode, stdout } = await run(folder, []);
    expect(exitCode).toBe(0);
    const [version] = reportOf(stdout).versions;
    // The neuron and its judge, twice each.
    expect(version).toMatchObject({ callsMade: 4, costMicrodollars: 4 * 1_100 });
    expect(version?.results[0]?.runs[0]?.output).toBe('At nine, [SECRET].');
    expect(seen.at(-1)?.authorization).toBe(`Bearer ${KEY}`);
    expect(recordings(folder)).not.toContain(KEY);
    expect(recordings(folder)).not.toContain(LEAKED);
    const made = seen.length;
    const again = await run(folder, [], { environment: { CI: '1' } });
    expect(again.exitCode).toBe(0);
    expect(seen.length).toBe(made);
    expect(reportOf(again.stdout).versions[0]?.results).toEqual(version?.results);
  });

  it('stops before a call that could cost more than is left', async () => {
    const folder = folderWith();
    const { exitCode, stdout } = await run(folder, ['--max-cost', '0.003', '--parallel', '1']);
    expect(exitCode).toBe(1);
    const [version] = reportOf(stdout).versions;
    expect(version?.results[0]?.status).toBe('maxCost');
    expect(version?.callsMade).toBeLessThan(4);
    expect(version?.costMicrodollars).toBeLessThanOrEqual(3_000);
    // The rest later, with what was paid for kept.
    expect(reportOf((await run(folder, [])).stdout).versions[0]).toMatchObject({ casesPassed: 1 });
    expect(recordings(folder).trimEnd().split('\n')).toHaveLength(4);
  });

  it('counts the vectors that assertions compare, also of a run that ends with them', async () => {
    const folder = folderWith();
    const settings = readFileSync(join(folder, 'a.yaml'), 'utf8').replace(
      'prices: {',
      'prices: { nearby/e: { input: 1000, output: 0 },',
    );
    const vectors =
      'neuron: acme/vectors\nflow: [{ embed: { provider: nearby, model: e, dimensions: 2 } }]\n';
    writeFileSync(join(folder, 'a.yaml'), `${settings}---\n${vectors}`);
    const costOf = async (value: string) => {
      const one = `{ name: a, input: When?, assert: [{ type: similar, value: ${value} }] }`;
      writeFileSync(
        join(folder, 'tests.yaml'),
        `tests: acme/support\nembeddings: acme/vectors\ncases: [${one}]\n`,
      );
      const [version] = reportOf((await run(folder, [])).stdout).versions;
      return [version?.results[0]?.status, version?.costMicrodollars, version?.tokensInput];
    };
    // 1,100 microdollars of the answer, and 20 tokens of each call for vectors.
    expect(await costOf('nine')).toEqual(['passed', 21_100, 120]);
    expect(await costOf('[nine, ten]')).toEqual(['passed', 41_100, 140]);
    // An answer without its use is charged as the most that it can cost.
    const [status, cost] = await costOf('nothing');
    expect([status, Number(cost) > 21_100]).toEqual(['error', true]);
    expect(await costOf('nowhere')).toEqual(['error', 1_100, 100]);
  });

  it('stops before a call of a guard that could cost more than is left', async () => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, 'a.yaml'),
      `organization: acme
providers: { demo: { type: echo } }
guards:
  ours: { type: webhook, endpoint: 'http://127.0.0.1:${port}/check', secret: { secret: guard-hmac }, prices: { call: 0.001 } }
---
neuron: acme/support
guards: [{ use: ours, on: [input], action: block }]
flow: [{ callModel: { provider: demo, model: m } }]
`,
    );
    const hello = '{ name: a, input: Hi, repeat: 3, assert: [{ type: contains, value: Hi }] }';
    writeFileSync(join(folder, 'tests.yaml'), `tests: acme/support\ncases: [${hello}]\n`);
    const checked = () => seen.filter(({ url }) => url === '/check').length;
    const [before, around] = [checked(), { environment: { NEURON_SECRET_GUARD_HMAC: 'shared words' } }];
    const { exitCode, stdout } = await run(folder, ['--max-cost', '0.0025', '--parallel', '1'], around);
    expect([exitCode, checked() - before]).toEqual([1, 2]);
    expect(reportOf(stdout).versions[0]?.results[0]).toMatchObject({ status: 'maxCost', passed: 2 });
    expect(await run(folder, ['--max-cost', '0.001'], around)).toMatchObject({ exitCode: 0 });
    expect(checked() - before).toBe(3);
  });

  it('names a secret that is nowhere', async () => {
    const { exitCode, stderr } = await run(folderWith(), [], { environment: {} });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('The secret openai-key of acme was not found. Set NEURON_SECRET_OPENAI_KEY');
  });

  it('takes a secret of the stack, and what is deployed there', async () => {
    const folder = folderWith();
    const ports = createMemoryPorts();
    const organization = organizationRecord('acme', { providers: { demo: { type: 'echo' } } });
    await ports.store.writeOrganization(organization, 'absent');
    ports.secretValues.set(`${organization.id}/providers/openai-key`, 'sk-of-the-stack');
    await runWith(ports, ['--local', 'test', '.', '--json'], { folder });
    expect(seen.at(-1)?.authorization).toBe('Bearer sk-of-the-stack');
    const alone = temporaryFolder();
    writeFileSync(
      join(alone, 'tests.yaml'),
      'tests: acme/hello\ncases: [{ name: a, input: Hi, assert: [{ type: contains, value: Hi }] }]\n',
    );
    await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello'), 'absent');
    const missing = await runWith(ports, ['test', '.'], { folder: alone });
    expect(missing).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('acme/hello has no version v2'),
    });
    const flow = [{ callModel: { provider: 'demo', model: 'm' } }];
    for (const [number, prompt] of [
      [2, '{{input}}'],
      [3, 'No'],
    ] as const)
      await ports.store.createVersion('acme', {
        id: `v${number}`,
        number,
        neuronId: 'id-hello',
        flow: [{ callModel: { ...flow[0]?.callModel, prompt } }],
        flowDigest: '',
        createdAt: '2026-11-20T08:00:00.000Z',
        author: 'local',
        message: undefined,
      });
    const { exitCode, stdout } = await runWith(
      ports,
      ['test', '.', '--version', 'v3', '--against', 'deployed'],
      {
        folder: alone,
      },
    );
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /v3: 0 of 1 case passed[\s\S]*deployed: 1 of 1 case passed[\s\S]*v3 passes 1 case fewer/,
    );
  });
});

describe('neuron test --url', () => {
  it('calls a version at a stage with its preview key, and records whole answers', async () => {
    const folder = folderWith();
    const tests = TESTS.replace('judge: acme/judge\n', '').replace(/ +- \{ type: llm-rubric.*\n/, '');
    writeFileSync(join(folder, 'tests.yaml'), tests);
    const words = ['--url', `http://127.0.0.1:${port}/stage`, '--version', 'v8'];
    const refused = await run(folder, words, { environment: {} });
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('NEURON_PREVIEW_KEY')]);
    const keys = { NEURON_PREVIEW_KEY: 'preview', NEURON_API_KEY: 'nrn_key' };
    const { exitCode, stdout } = await run(folder, words, { environment: keys });
    expect(exitCode).toBe(0);
    expect(reportOf(stdout).versions[0]).toMatchObject({ callsMade: 2, costMicrodollars: 24 });
    expect(recordings(folder)).toContain('"target":"acme/support@v8"');
    const made = seen.length;
    const again = await run(folder, words, { environment: { ...keys, CI: 'true' } });
    expect([again.exitCode, seen.length]).toEqual([0, made]);
  });
});
