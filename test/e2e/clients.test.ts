// Released clients of other people, unpatched, against the whole local stack: what each of them says, counts, waits for and throws.
import { spawn } from 'node:child_process';
import { copyFileSync, readdirSync, symlinkSync } from 'node:fs';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installNodeClients, installPythonClient } from '../clients/install.ts';
import {
  CLASSES,
  CLIENTS,
  type Client,
  casesOf,
  type Drive,
  ERRORS,
  FILLED,
  isOfficial,
  isSdk,
  LOOPS,
  NODE_CLIENTS,
  type Outcomes,
  PYTHON_CLIENT,
  readingsOf,
  tagOf,
} from '../clients/plan.ts';
import { type Program, startBrowser, startProgram } from '../clients/programs.ts';
import { startRecorder } from '../clients/recorder.ts';
import { CUT_WHEN, CUTS, startScriptedModel } from '../clients/scripted-model.ts';
import { clientSettings, PAUSED } from '../clients/settings.ts';
import { type PublishedSchema, violationsOf } from '../core/surfaces/openai/published-schema.ts';
import { scanStream } from '../core/surfaces/openai/scan-stream.ts';
import { scanEvents } from '../core/surfaces/responses/scan-events.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

const FOLDER = join(import.meta.dirname, '../clients');
const EXAMPLES = join(import.meta.dirname, '../../examples/openai');
const SAID = 'You said: Hello there my friend';
const UNAVAILABLE = /provider is unavailable/;

/** What OpenAI's client sends from a browser beside what every page may send (github.com/openai/openai-node, `buildHeaders`). */
const BROWSER_HEADERS = [
  ...['authorization', 'content-type', 'openai-organization', 'openai-project'],
  ...['arch', 'lang', 'os', 'package-version', 'retry-count', 'runtime', 'runtime-version', 'timeout'].map(
    (name) => `x-stainless-${name}`,
  ),
];

// The stand-in for the model listens on loopback, where a deployed function does not reach it.
describe.runIf(isLocal)('released clients', () => {
  let model: Awaited<ReturnType<typeof startScriptedModel>>;
  let stack: Stack;
  let recorder: Awaited<ReturnType<typeof startRecorder>>;
  let python: string | undefined;
  let programs: readonly Promise<Program>[] = [];
  const outcomes = new Map<string, Outcomes>();
  /** By the name of the example. */
  const examples = new Map<string, string>();

  beforeAll(async () => {
    [python] = await Promise.all([installPythonClient(), installNodeClients()]);
    // They load what they need while the stack starts.
    programs = [
      startBrowser(),
      startProgram(NODE_CLIENTS, process.execPath, 'drive.mjs'),
      ...(python === undefined ? [] : [startProgram([PYTHON_CLIENT], python, 'drive.py')]),
    ];
    const begun = createSignals();
    model = await startScriptedModel(begun.of);
    stack = await startStack({ settings: clientSettings(model.baseUrl, CLIENTS), concurrency: 4 });
    recorder = await startRecorder(stack.url, (tag) => FILLED.test(tag), begun.give);
    const [key] = await Promise.all([
      stack.operate(['keys', 'create', 'acme', '--name', 'clients']),
      stack.operate(['organization', 'pause', PAUSED, '--retry-after', '1h']),
    ]);
    await Promise.all([driveAll(key.trim()), ...readdirSync(EXAMPLES).map(runExample)]);
  }, 300_000);
  afterAll(async () => {
    await Promise.all(programs.map(async (program) => (await program).stop()));
    await recorder?.stop();
    await stack?.stop();
    await model?.stop();
  });

  async function driveAll(key: string): Promise<void> {
    const all = await Promise.all(
      programs.map(async (program) => {
        const { clients, run } = await program;
        return run(Object.fromEntries(clients.map((client) => [client, drivesOf(client, key)])));
      }),
    );
    for (const [client, one] of all.flatMap((some) => Object.entries(some))) outcomes.set(client, one);
  }

  /** Each case has a base URL of its own, by which its calls are counted. */
  function drivesOf(client: Client, acme: string): readonly Drive[] {
    return Object.entries(casesOf(client)).map(([name, { neuron = 'talk', key, model: asked, ...rest }]) => {
      const path = neuron.startsWith('/') ? neuron.slice(1) : `acme/${neuron}`;
      const baseURL = `${recorder.url}/${tagOf(client, name)}/v1/${path}`;
      return { name, ...rest, model: asked ?? path, apiKey: key ?? acme, baseURL };
    });
  }

  async function runExample(name: string): Promise<void> {
    if (name.endsWith('.py') && python === undefined) return;
    // Where the installed clients are found, as in a folder of one's own.
    const folder = temporaryFolder();
    symlinkSync(join(FOLDER, 'node_modules'), join(folder, 'node_modules'));
    copyFileSync(join(EXAMPLES, name), join(folder, name));
    const interpreters = { '.py': python, '.sh': 'bash' } as Record<string, string | undefined>;
    const child = spawn(interpreters[extname(name)] ?? process.execPath, [join(folder, name)], {
      env: { ...process.env, NEURON_OPENAI_URL: `${stack.url}/v1/acme/dialog` },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    examples.set(name, await text(child.stdout));
  }

  describe.each(CLIENTS)('%s', (client) => {
    const outcomeOf = (name: string) => outcomes.get(client)?.[name];
    const answersTo = (name: string) => recorder.recorded.filter(({ tag }) => tag === tagOf(client, name));

    it('is installed', (context) => {
      // Without a package index there is none for Python; the ones for Node come with the lock of their folder.
      if (client === PYTHON_CLIENT && python === undefined) context.skip();
      expect(outcomes.has(client)).toBe(true);
    });

    it('gets texts, streams, usage, schemas, images and two rounds of two tools, streamed too', (context) => {
      if (!outcomes.has(client)) context.skip();
      expect(outcomeOf('text')).toMatchObject({ ok: { text: SAID } });
      expect(outcomeOf('stream')).toMatchObject({ ok: { text: SAID } });
      expect(outcomeOf('streamUsage')).toMatchObject({
        ok: { text: SAID, usage: { prompt_tokens: 6, completion_tokens: 8 } },
      });
      const rounds = {
        text: 'Bern is sunny; Bern has noon; Rome is sunny; Rome has noon',
        asked: ['weather', 'clock', 'weather', 'clock'],
      };
      expect(outcomeOf('tools')).toEqual({ ok: rounds });
      expect(outcomeOf('toolsStream')).toEqual({ ok: rounds });
      expect(outcomeOf('schema')).toEqual({ ok: { city: 'Hello there my friend', degrees: 0 } });
      // 100 of them are the image's.
      expect(outcomeOf('image')).toEqual({ ok: { text: SAID, input: 106 } });
      if (!isOfficial(client)) return;
      for (const loop of LOOPS) expect(outcomeOf(loop), loop).toEqual({ ok: rounds });
      expect(outcomeOf('responsesSchema')).toEqual({ ok: { city: 'Hello there my friend', degrees: 0 } });
      expect(outcomeOf('models')).toEqual({ ok: { listed: ['acme/talk'], one: 'acme/talk' } });
      expect(outcomeOf('final')).toMatchObject({ ok: { text: SAID } });
      // The helpers' word for an answer that the caller's own limit cut; it was asked for once.
      expect(outcomeOf('schemaCut')).toMatchObject({ error: { class: 'LengthFinishReasonError' } });
      expect(answersTo('schemaCut').map(({ status }) => status)).toEqual([200]);
    });

    it.for(Object.entries(ERRORS))(
      'throws its own error for %s, where it asked for a stream too',
      ([name, [, status, code, param]], context) => {
        if (!outcomes.has(client)) context.skip();
        for (const one of [name, `${name}-stream`]) {
          const { error } = outcomeOf(one) ?? {};
          expect(error, one).toMatchObject({ status, code });
          expect(error?.class).toBe(isSdk(client) ? 'AI_APICallError' : CLASSES[status]);
          if (param !== undefined) expect(error?.param).toBe(param);
          expect(error?.requestId).toMatch(/^\S+$/);
          expect(answersTo(one).map((answer) => answer.status)).toEqual([status]);
        }
      },
    );

    it.for(['echo', ...CUTS])('hears of a stream that breaks off: %s', (cut, context) => {
      if (!outcomes.has(client)) context.skip();
      for (const reading of readingsOf(client)) {
        const { ok, error } = outcomeOf(`cut-${cut}-${reading}`) ?? {};
        expect(ok).toBeUndefined();
        expect(error?.message).toMatch(UNAVAILABLE);
        const [answer] = answersTo(`cut-${cut}-${reading}`);
        const when = CUT_WHEN[cut] ?? 'after';
        if (when !== 'any') expect(answer?.status).toBe(when === 'before' ? 503 : 200);
        if (answer?.status === 503) continue;
        expect(scanStream(answer?.body ?? '')).toMatchObject({
          error: { code: 'upstream_unavailable' },
          violations: [],
        });
        if (isOfficial(client)) expect(error?.code).toBe('upstream_unavailable');
      }
    });

    it('waits once for a limit of seconds, and does not call again when the month is spent', (context) => {
      if (!outcomes.has(client)) context.skip();
      expect(outcomeOf('wait')).toMatchObject({ ok: { text: SAID } });
      const waited = answersTo('wait').map(({ status }) => status);
      // LangChain goes on by a backoff of its own, which does not wait as long as Retry-After says.
      if (client === 'langchain') expect(waited.at(-1)).toBe(200);
      else expect(waited).toEqual([429, 200]);
      const { error } = outcomeOf('spent') ?? {};
      expect(error).toMatchObject({ status: 429, code: 'insufficient_quota' });
      // Vercel's SDK knows neither sign: it calls three times.
      expect(answersTo('spent')).toHaveLength(isSdk(client) ? 3 : 1);
    });
  });

  it('ask from a page whether they may send what they send, and may', () => {
    const asked = recorder.preflights.flatMap((preflight) => preflight.asked);
    expect([...new Set(asked)]).toEqual(expect.arrayContaining(BROWSER_HEADERS));
    // Each by its name: the wildcard beside them does not cover credentials.
    const rejected = recorder.preflights.filter(({ asked, allowed }) =>
      asked.some((name) => !allowed.includes(name)),
    );
    expect(rejected).toEqual([]);
  });

  it.for(readdirSync(EXAMPLES))('run the example %s', (name, context) => {
    if (name.endsWith('.py') && python === undefined) context.skip();
    const said = examples.get(name) ?? '';
    if (name.endsWith('.sh')) expect(scanStream(said).text).toBe('You said: Why is the sky blue?');
    else expect(said).toBe('You said: Why is the sky blue?\n');
  });

  it('were answered by the published schemas throughout, and by streams without a fault', () => {
    expect(recorder.recorded.length).toBeGreaterThan(300);
    const schemaOf = ({ path, status }: { path: string; status: number }): PublishedSchema => {
      if (status !== 200) return 'ErrorResponse';
      if (path.endsWith('/chat/completions')) return 'CreateChatCompletionResponse';
      return path.endsWith('/models') ? 'ListModelsResponse' : 'Model';
    };
    const violationsIn = (answer: (typeof recorder.recorded)[number]): readonly string[] => {
      const isResponse = answer.path.endsWith('/responses') && answer.status === 200;
      if (answer.contentType.startsWith('text/event-stream'))
        return (isResponse ? scanEvents : scanStream)(answer.body).violations;
      // Whole responses are held by test/core/surfaces/responses: no schema of theirs is here.
      return isResponse ? [] : violationsOf(schemaOf(answer), JSON.parse(answer.body));
    };
    const violations = recorder.recorded.flatMap((answer) =>
      violationsIn(answer).map((violation) => `${answer.tag}: ${violation}`),
    );
    expect(violations).toEqual([]);
  });
});

/** One signal for each name, whoever asks for it first. */
function createSignals() {
  const signals = new Map<string, PromiseWithResolvers<void>>();
  const find = (name: string) => {
    const signal = signals.get(name) ?? Promise.withResolvers<void>();
    signals.set(name, signal);
    return signal;
  };
  return { of: (name: string) => find(name).promise, give: (name: string) => find(name).resolve() };
}
