// Released clients of other people, unpatched, against the whole local stack: what each of them says, counts, waits for and throws.
import { spawn } from 'node:child_process';
import { copyFileSync, readdirSync, symlinkSync } from 'node:fs';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installNodeClients, installPythonClient } from '../clients/install.ts';
import { startRecorder } from '../clients/recorder.ts';
import { CUTS, startScriptedModel } from '../clients/scripted-model.ts';
import { clientSettings, limited } from '../clients/settings.ts';
import { type PublishedSchema, violationsOf } from '../core/contract/openai/published-schema.ts';
import { scanStream } from '../core/contract/openai/scan-stream.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

const NODE_CLIENTS = ['openai-7', 'openai-6', 'ai-openai-chat', 'ai-compatible', 'langchain'] as const;
const CLIENTS = [...NODE_CLIENTS, 'openai-python'] as const;
type Client = (typeof CLIENTS)[number];

const FOLDER = join(import.meta.dirname, '../clients');
const EXAMPLES = join(import.meta.dirname, '../../examples/openai');
const SAID = 'You said: Hello there my friend';

interface Outcome {
  readonly ok?: Record<string, unknown>;
  readonly error?: {
    readonly class: string;
    readonly status?: number;
    readonly code?: string;
    readonly requestId?: string;
    readonly param?: string;
    readonly message: string;
  };
}

interface Case {
  readonly kind: string;
  readonly neuron?: string;
  readonly key?: string;
  readonly model?: string;
  readonly maxRetries?: number;
  readonly more?: object;
}

/** Status and code of each error that a caller can be answered with, and the member that it blames. */
const ERRORS: Readonly<Record<string, readonly [Case, status: number, code: string, param?: string]>> = {
  unauthorized: [{ kind: 'text', key: 'sk-wrong' }, 401, 'invalid_api_key'],
  address: [{ kind: 'text', neuron: 'elsewhere' }, 403, 'ip_not_allowed'],
  closed: [{ kind: 'text', neuron: 'closed' }, 403, 'access_closed'],
  unknown: [{ kind: 'text', neuron: 'nothing' }, 404, 'model_not_found', 'model'],
  undeployed: [{ kind: 'text', neuron: 'undeployed' }, 404, 'model_not_found', 'model'],
  model: [{ kind: 'text', model: 'other' }, 404, 'model_not_found', 'model'],
  invalid: [{ kind: 'text', more: { temperature: 3 } }, 400, 'invalid_input', 'temperature'],
  notAccepted: [
    { kind: 'text', neuron: 'plain', more: { temperature: 1 } },
    400,
    'not_accepted',
    'temperature',
  ],
  configuration: [{ kind: 'text', neuron: 'unset' }, 500, 'configuration'],
  unavailable: [{ kind: 'text', neuron: 'dead' }, 503, 'upstream_unavailable'],
};

/** The classes that OpenAI's clients have for a status, which LangChain hands on; the AI SDK has one for all. */
const CLASSES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  403: 'PermissionDeniedError',
  404: 'NotFoundError',
  429: 'RateLimitError',
  500: 'InternalServerError',
  503: 'InternalServerError',
};

const isSdk = (client: Client) => client.startsWith('ai-');
const isOfficial = (client: Client) => client.startsWith('openai-');

function casesOf(client: Client): Readonly<Record<string, Case>> {
  const readings = isOfficial(client) ? ['stream', 'streamFinal'] : ['stream'];
  return {
    text: { kind: 'text' },
    stream: { kind: 'stream' },
    streamUsage: { kind: 'streamUsage' },
    tools: { kind: 'tools', neuron: 'rounds' },
    schema: { kind: 'schema' },
    image: { kind: 'image' },
    ...(isOfficial(client) ? { models: { kind: 'models' }, final: { kind: 'streamFinal' } } : {}),
    ...Object.fromEntries(Object.entries(ERRORS).map(([name, [one]]) => [name, { ...one, maxRetries: 0 }])),
    ...Object.fromEntries(
      ['echo', ...CUTS].flatMap((cut) =>
        readings.map((kind) => [`${cut}-${kind}`, { kind, neuron: `cut-${cut}`, maxRetries: 0 }]),
      ),
    ),
    wait: { kind: 'text', neuron: limited(client) },
    spent: { kind: 'text', neuron: '/spent/talk' },
  };
}

// The stand-in for the model listens on loopback, where a deployed function does not reach it.
describe.runIf(isLocal)('released clients', () => {
  let model: Awaited<ReturnType<typeof startScriptedModel>>;
  let stack: Stack;
  let recorder: Awaited<ReturnType<typeof startRecorder>>;
  const outcomes = new Map<Client, Readonly<Record<string, Outcome>>>();
  let python: string | undefined;

  beforeAll(async () => {
    [python] = await Promise.all([installPythonClient(), installNodeClients()]);
    model = await startScriptedModel();
    stack = await startStack({ settings: clientSettings(model.baseUrl, CLIENTS), concurrency: 4 });
    recorder = await startRecorder(stack.url, (tag) => /\.(wait|spent)$/.test(tag));
    const keys = await Promise.all(['acme', 'spent'].map(createKey));
    await Promise.all(
      CLIENTS.filter((client) => client !== 'openai-python' || python !== undefined).map(async (client) => {
        outcomes.set(client, await drive(client, keys));
      }),
    );
  }, 300_000);
  afterAll(async () => {
    await recorder?.stop();
    await stack?.stop();
    await model?.stop();
  });

  async function createKey(organization: string): Promise<string> {
    return (await stack.operate(['keys', 'create', organization, '--name', 'clients'])).trim();
  }

  /** One process for all cases of a client; each case has a base URL of its own, by which its calls are counted. */
  async function drive(client: Client, [acme = '', spent = '']: readonly string[]) {
    const cases = Object.entries(casesOf(client)).map(
      ([name, { neuron = 'talk', key, model: asked, ...rest }]) => {
        const path = neuron.startsWith('/') ? neuron.slice(1) : `acme/${neuron}`;
        return {
          ...{
            name,
            ...rest,
            model: asked ?? path,
            apiKey: key ?? (path.startsWith('acme/') ? acme : spent),
          },
          baseURL: `${recorder.url}/${client}.${name}/v1/${path}`,
        };
      },
    );
    const words =
      client === 'openai-python' ? [join(FOLDER, 'drive.py')] : [join(FOLDER, 'drive.mjs'), client];
    const program = client === 'openai-python' ? (python ?? '') : process.execPath;
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.end(JSON.stringify(cases));
    const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
    if (!said.startsWith('{')) throw new Error(`${client}: ${complained}`);
    return JSON.parse(said) as Readonly<Record<string, Outcome>>;
  }

  const answersTo = (tag: string) => recorder.recorded.filter((one) => one.tag === tag);

  describe.each(CLIENTS)('%s', (client) => {
    const outcomeOf = (name: string) => outcomes.get(client)?.[name];

    it('is installed', (context) => {
      // Without a package index there is none for Python; the ones for Node come with the lock of their folder.
      if (client === 'openai-python' && python === undefined) context.skip();
      expect(outcomes.has(client)).toBe(true);
    });

    it('gets texts, streams, usage, schemas, images and two rounds of two tools', (context) => {
      if (!outcomes.has(client)) context.skip();
      expect(outcomeOf('text')).toMatchObject({ ok: { text: SAID } });
      expect(outcomeOf('stream')).toMatchObject({ ok: { text: SAID } });
      expect(outcomeOf('streamUsage')).toMatchObject({
        ok: { text: SAID, usage: { prompt_tokens: 6, completion_tokens: 8 } },
      });
      expect(outcomeOf('tools')).toEqual({
        ok: {
          text: 'Bern is sunny; Bern has noon; Rome is sunny; Rome has noon',
          asked: ['weather', 'clock', 'weather', 'clock'],
        },
      });
      expect(outcomeOf('schema')).toEqual({ ok: { city: 'Hello there my friend', degrees: 0 } });
      // 100 of them are the image's.
      expect(outcomeOf('image')).toEqual({ ok: { text: SAID, input: 106 } });
      if (!isOfficial(client)) return;
      expect(outcomeOf('models')).toEqual({ ok: { listed: ['acme/talk'], one: 'acme/talk' } });
      expect(outcomeOf('final')).toMatchObject({ ok: { text: SAID } });
    });

    it.for(Object.entries(ERRORS))(
      'throws its own error for %s',
      ([name, [, status, code, param]], context) => {
        if (!outcomes.has(client)) context.skip();
        const { error } = outcomeOf(name) ?? {};
        expect(error).toMatchObject({ status, code });
        expect(error?.class).toBe(isSdk(client) ? 'AI_APICallError' : CLASSES[status]);
        if (param !== undefined) expect(error?.param).toBe(param);
        expect(error?.requestId).toMatch(/^\S+$/);
        expect(answersTo(`${client}.${name}`).map((answer) => answer.status)).toEqual([status]);
      },
    );

    it.for(['echo', ...CUTS])('hears of a stream that breaks off: %s', (cut, context) => {
      if (!outcomes.has(client)) context.skip();
      for (const reading of isOfficial(client) ? ['stream', 'streamFinal'] : ['stream']) {
        const { ok, error } = outcomeOf(`${cut}-${reading}`) ?? {};
        expect(ok).toBeUndefined();
        expect(error?.message).toMatch(/provider is unavailable/);
        const [answer] = answersTo(`${client}.${cut}-${reading}`);
        expect(scanStream(answer?.body ?? '')).toMatchObject({
          error: { code: 'upstream_unavailable' },
          violations: [],
        });
      }
    });

    it('waits once for a limit of seconds, and does not call again when the month is spent', (context) => {
      if (!outcomes.has(client)) context.skip();
      expect(outcomeOf('wait')).toMatchObject({ ok: { text: SAID } });
      const waited = answersTo(`${client}.wait`).map(({ status }) => status);
      // LangChain has a backoff of its own and does not read Retry-After.
      if (client === 'langchain') expect(waited.at(-1)).toBe(200);
      else expect(waited).toEqual([429, 200]);
      const { error } = outcomeOf('spent') ?? {};
      expect(error).toMatchObject({ status: 429, code: 'insufficient_quota' });
      // Vercel's SDK knows neither sign: it calls three times.
      expect(answersTo(`${client}.spent`)).toHaveLength(isSdk(client) ? 3 : 1);
    });
  });

  it.for(readdirSync(EXAMPLES))('run the example %s', async (name, context) => {
    if (name.endsWith('.py') && python === undefined) context.skip();
    // Where the installed clients are found, as in a folder of one's own.
    const folder = temporaryFolder();
    symlinkSync(join(FOLDER, 'node_modules'), join(folder, 'node_modules'));
    copyFileSync(join(EXAMPLES, name), join(folder, name));
    const programs = { '.py': python, '.sh': 'bash' } as Record<string, string | undefined>;
    const child = spawn(programs[extname(name)] ?? process.execPath, [join(folder, name)], {
      env: { ...process.env, NEURON_OPENAI_URL: `${stack.url}/v1/acme/dialog` },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const said = await text(child.stdout);
    if (name.endsWith('.sh')) expect(scanStream(said).text).toBe('You said: Why is the sky blue?');
    else expect(said).toBe('You said: Why is the sky blue?\n');
  });

  it('were answered by the published schemas throughout, and by streams without a fault', () => {
    expect(recorder.recorded.length).toBeGreaterThan(100);
    const schemaOf = ({ path, status }: { path: string; status: number }): PublishedSchema => {
      if (status !== 200) return 'ErrorResponse';
      if (path.endsWith('/chat/completions')) return 'CreateChatCompletionResponse';
      return path.endsWith('/models') ? 'ListModelsResponse' : 'Model';
    };
    const violations = recorder.recorded.flatMap((answer) =>
      (answer.contentType.startsWith('text/event-stream')
        ? scanStream(answer.body).violations
        : violationsOf(schemaOf(answer), JSON.parse(answer.body))
      ).map((violation) => `${answer.tag}: ${violation}`),
    );
    expect(violations).toEqual([]);
  });
});
