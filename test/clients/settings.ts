// A neuron for everything that a client can meet.
import { CUTS } from './scripted-model.ts';

/** Whose state a command sets. */
export const PAUSED = 'paused';

const ALL = 'accepts: [history, system, images, tools, schema, parameters]';
const ECHO = `flow: [{ callModel: { provider: demo, model: echo-1, ${ALL} } }]`;

/** Whose limits only one client may use. */
export const limited = (client: string) => `short-${client}`;

/** Five failures in a row open the circuit of a neuron, which answers at once then: the clients share three for each cut. */
const CUT_NEURONS = 3;
const cutSlug = (cut: string, index: number) => `cut-${cut}-${index % CUT_NEURONS}`;

/** Where this client meets a cut. */
export const cutNeuron = (cut: string, client: string, clients: readonly string[]) =>
  cutSlug(cut, clients.indexOf(client));

export function clientSettings(modelUrl: string, clients: readonly string[]): string {
  const neuron = (slug: string, ...more: readonly string[]) => [`neuron: acme/${slug}`, ...more].join('\n');
  const scripted = (model: string) => {
    const timeout = model === 'cut-stall' ? '1s' : '30s';
    return `flow: [{ callModel: { provider: scripted, model: ${model}, retries: 0, timeout: ${timeout}, ${ALL} } }]`;
  };
  const open = 'access: { apiKey: true }';
  return [
    `organization: acme\nproviders:\n  demo: { type: echo }\n  broken: { type: echo, breakAfter: 2, wordsPerSecond: 50 }\n` +
      `  scripted: { type: openai, baseUrl: "${modelUrl}" }\n  dead: { type: openai, baseUrl: "http://127.0.0.1:9/v1" }\n` +
      `  unset: { type: openai, apiKey: { secret: never-set } }`,
    neuron('talk', open, ECHO),
    // That of the examples.
    neuron('dialog', 'access: { public: true }', ECHO),
    neuron('stopped', open, 'flow: [{ stop: { text: No more of this. } }]'),
    neuron('rounds', open, scripted('two-rounds')),
    neuron('plain', open, 'flow: [{ callModel: { provider: demo, model: echo-1 } }]'),
    neuron('elsewhere', 'access: { ips: [203.0.113.7], apiKey: true }', ECHO),
    neuron('pages', 'access: { referers: [app.example.com] }', ECHO),
    neuron('closed', ECHO),
    neuron('undeployed', open),
    neuron('dead', open, 'flow: [{ callModel: { provider: dead, model: m, retries: 0 } }]'),
    neuron('unset', open, 'flow: [{ callModel: { provider: unset, model: m, retries: 0 } }]'),
    ...Array.from({ length: CUT_NEURONS }, (_, index) => [
      neuron(
        cutSlug('echo', index),
        open,
        `flow: [{ callModel: { provider: broken, model: echo-1, retries: 0, ${ALL} } }]`,
      ),
      ...CUTS.map((cut) => neuron(cutSlug(cut, index), open, scripted(`cut-${cut}`))),
    ]).flat(),
    ...clients.map((client) =>
      neuron(
        limited(client),
        open,
        'rateLimits: [{ metric: requests, scope: total, limit: 1, period: 10s }]',
        ECHO,
      ),
    ),
    // Its window ends within the minute for which clients wait.
    neuron('limited', open, 'rateLimits: [{ metric: requests, scope: total, limit: 1, period: 1m }]', ECHO),
    'organization: spent\nproviders: { demo: { type: echo } }\nusageLimits: [{ metric: requests, limit: 1, period: month }]',
    `neuron: spent/talk\naccess: { public: true }\n${ECHO}`,
    `organization: ${PAUSED}\nproviders: { demo: { type: echo } }`,
    `neuron: ${PAUSED}/talk\naccess: { public: true }\n${ECHO}`,
  ].join('\n---\n');
}
