// The package as it is published: what is in it, how it loads, on the oldest Node that it promises.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildClient } from '../../bin/build-client.ts';
import {
  checkPackage,
  createPackageFromTarballData,
} from '../../node_modules/@arethetypeswrong/core/dist/index.js';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const folder = temporaryFolder();
const built = join(folder, 'neuron-client');
const dist = (file: string) => readFileSync(join(built, 'dist', file), 'utf8');

/** Node 20 of the system, where there is one; the tests' own Node else. */
const node20 = ['/usr/bin/node', '/usr/local/bin/node'].find(
  (path) => existsSync(path) && execFileSync(path, ['-v']).toString().startsWith('v20.'),
);

beforeAll(async () => {
  await buildClient({ folder: join(built, 'dist'), baseUrl: 'https://built.example.com/prod' });
  for (const file of ['package.json', 'README.md']) cpSync(join(root, 'client', file), join(built, file));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(built, join(folder, 'node_modules', 'neuron-client'));
}, 60_000);

/** Runs a program beside the installed package; gives what it printed. */
function run(node: string, file: string, source: string): string {
  writeFileSync(join(folder, file), source);
  const environment = { PATH: process.env['PATH'] };
  return execFileSync(node, [file], { cwd: folder, env: environment }).toString().trim();
}

const CALL = `
const fetch = async (url) => { console.log(url); return new Response('{"error":"No.","code":"any"}', { status: 404 }); };
new NeuronClient({ fetch }).callNeuron('acme', 'hello').catch((error) => {
  console.log(error instanceof NeuronError, error.statusCode, error.name);
});`;
const PRINTED = 'https://built.example.com/prod/acme/hello\ntrue 404 NeuronError';

describe('the built client', () => {
  it('is at most 6.7 KB gzipped, one module, without an import', () => {
    const text = dist('index.js');
    expect(gzipSync(text, { level: 9 }).byteLength).toBeLessThanOrEqual(6.7 * 1024);
    expect(text).not.toMatch(/\bimport\b|\brequire\b|node:/);
  });

  it('is installed by an app in another repository from the file that npm packs', () => {
    const app = join(folder, 'app');
    const npm = (cwd: string, ...words: string[]) =>
      execFileSync('npm', [...words, '--offline', '--no-audit', '--no-fund', '--loglevel=error'], { cwd });
    mkdirSync(app);
    npm(built, 'pack', '--ignore-scripts', '--pack-destination', app);
    const { version } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
    writeFileSync(join(app, 'package.json'), '{"name":"app","private":true,"type":"module"}');
    npm(app, 'install', `./neuron-client-${version}.tgz`);
    writeFileSync(join(app, 'app.js'), `import { NeuronClient, NeuronError } from 'neuron-client';${CALL}`);
    const printed = execFileSync(process.execPath, ['app.js'], {
      cwd: app,
      env: { PATH: process.env['PATH'] },
    });
    expect(printed.toString().trim()).toBe(PRINTED);
    expect(JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')).dependencies).toEqual({
      'neuron-client': `file:neuron-client-${version}.tgz`,
    });
  }, 60_000);

  it('loads as an ECMAScript module and as CommonJS, and calls where it was built to', () => {
    const imported = `import { NeuronClient, NeuronError } from 'neuron-client';${CALL}`;
    const required = `const { NeuronClient, NeuronError } = require('neuron-client');${CALL}`;
    expect(run(process.execPath, 'a.mjs', imported)).toBe(PRINTED);
    expect(run(process.execPath, 'a.cjs', required)).toBe(PRINTED);
  });

  it.runIf(node20)('runs on Node 20', () => {
    const imported = `import { NeuronClient, NeuronError } from 'neuron-client';${CALL}`;
    const required = `const { NeuronClient, NeuronError } = require('neuron-client');${CALL}`;
    expect(run(node20 ?? '', 'b.mjs', imported)).toBe(PRINTED);
    expect(run(node20 ?? '', 'b.cjs', required)).toBe(PRINTED);
  });

  it('gives way to NEURON_BASE_URL and to the option', () => {
    const source = `import { NeuronClient } from 'neuron-client';
const fetch = async (url) => { console.log(url); throw new Error('enough'); };
process.env.NEURON_BASE_URL = 'https://set.example.com';
await new NeuronClient({ fetch }).callNeuron('acme', 'hello').catch(() => {});
await new NeuronClient({ fetch, baseURL: 'https://given.example.com' }).callNeuron('acme', 'hello').catch(() => {});`;
    expect(run(process.execPath, 'c.mjs', source)).toBe(
      'https://set.example.com/acme/hello\nhttps://given.example.com/acme/hello',
    );
  });

  it('declares what it exports and nothing else', () => {
    const names = [...dist('index.d.ts').matchAll(/^export \{([^}]*)\};$/gm)].flatMap(([, list = '']) =>
      list.split(',').map((name) => name.trim()),
    );
    expect(names.toSorted()).toEqual([
      'IdempotencyMismatchError',
      'IncompleteStreamError',
      'NeuronClient',
      'NeuronError',
      'NeuronStream',
      'NoAnswerError',
      'ToolLoopError',
      'bucketOf',
      'runTools',
      'type CallNeuronOptions',
      'type NeuronClientOptions',
      'type NeuronErrorBody',
      'type NeuronEvent',
      'type NeuronFeedback',
      'type NeuronJsonSchema',
      'type NeuronMessage',
      'type NeuronParameters',
      'type NeuronPart',
      'type NeuronResponse',
      'type NeuronResponseFormat',
      'type NeuronSentToolCall',
      'type NeuronStreamResult',
      'type NeuronTool',
      'type NeuronToolCall',
      'type NeuronToolChoice',
      'type NeuronVariables',
      'type NoAnswerReason',
      'type RetryOptions',
      'type RunToolsOptions',
      'type RunToolsResult',
      'type RunnableTool',
      'type SendFeedback',
      'type TokenSource',
    ]);
    expect(dist('index.d.ts')).not.toMatch(/^(?:import|export (?!\{))/m);
    expect(dist('index.d.cts')).toBe(dist('index.d.ts'));
  });
});

describe('the package', () => {
  it('passes publint', async () => {
    const { messages } = await publint({ pkgDir: built, level: 'suggestion', strict: true });
    expect(messages).toEqual([]);
  });

  it('resolves to the right types everywhere, by are-the-types-wrong', async () => {
    const [packed] = JSON.parse(
      // Built already, in a folder without the sources.
      execFileSync('npm', ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', folder], {
        cwd: built,
      }).toString(),
    ) as [{ filename: string; files: { path: string }[] }];
    const { problems } = (await checkPackage(
      createPackageFromTarballData(readFileSync(join(folder, packed.filename))),
      // Data and no module: Node finds it, TypeScript's resolution of 2012 does not look into `exports`.
      { excludeEntrypoints: ['./openapi.json'] },
    )) as { problems: unknown[] };
    expect(problems).toEqual([]);
    expect(packed.files.map(({ path }) => path).toSorted()).toEqual([
      'README.md',
      'dist/LICENSE',
      'dist/index.cjs',
      'dist/index.cjs.map',
      'dist/index.d.cts',
      'dist/index.d.ts',
      'dist/index.js',
      'dist/index.js.map',
      'dist/openapi.json',
      'package.json',
    ]);
  }, 60_000);

  it('needs no other package', () => {
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(root, 'client/package.json'), 'utf8'),
    ) as Record<string, unknown>;
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  });
});
