// The settings of a stack whose log meets every code.
import { scenarioSettings } from './settings.ts';

export type Stored = Readonly<Record<string, unknown>>;

/** Members of an entry, by the answer. */
export const rejected = (status: number, code: string) => ({ outcome: 'refused', status, code });
export const failed = (status: number, code: string) => ({ outcome: 'failed', status, code });

const FLOW = 'flow:\n  - callModel: { provider: demo, model: echo-1 }';

/** A username that would change a terminal. */
export const USERNAME = 'ann\u001b[2J\r\n\u202egnp.exe';

/** Bodies that the guard of `acme/guarded` does not let through: by their text, and by an image that it cannot see. */
export const BLOCKED = { messages: [{ role: 'user', content: 'Project  Falcon' }] };
const PIXEL = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
export const UNSEEN = { messages: [{ role: 'user', content: [PIXEL] }] };

/** The documents, as YAML: a neuron for each code that the log can have. */
export const logSettings = (openaiUrl: string): string =>
  [
    scenarioSettings({ openaiUrl, deadUrl: 'http://127.0.0.1:9/v1' }),
    `neuron: acme/keyed\naccess: { apiKey: true }\n${FLOW}`,
    `neuron: acme/tokens\naccess: { jwt: { sharedSecret: { secret: issuer }, usernamePath: sub } }\n${FLOW}`,
    'neuron: acme/careless\naccess: { public: true }\nflow:\n  - callModel: { provider: fake, model: bad-arguments, accepts: [tools] }',
    'neuron: acme/guarded\naccess: { public: true }\nguards: [{ use: words, on: [input], action: block, unseen: refuse }]\nflow:\n  - callModel: { provider: demo, model: echo-1, accepts: [images] }',
    `neuron: acme/web\naccess: { referers: [app.example.com] }\n${FLOW}`,
    `neuron: acme/office\naccess: { ips: [203.0.113.7] }\n${FLOW}`,
    `neuron: acme/gone\naccess: { public: true }\n${FLOW}`,
    `neuron: acme/flood\n${FLOW}`,
    `neuron: acme/spoiled\naccess: { public: true }\n${FLOW}`,
    `neuron: acme/cached\naccess: { public: true }\ncaching: { exact: true }\n${FLOW}`,
    `neuron: acme/limited\naccess: { public: true }\nrateLimits: [{ metric: requests, scope: total, limit: 1, period: 1d }]\n${FLOW}`,
    `neuron: acme/counted\naccess: { public: true }\nrateLimits: [{ metric: requests, scope: total, limit: 100, period: 1d }]\n${FLOW}`,
    'neuron: acme/single\naccess: { public: true }\nrateLimits: [{ metric: concurrent, scope: total, limit: 1 }]\nflow:\n  - callModel: { provider: slow, model: echo-1 }',
    'organization: tight\nproviders: { demo: { type: echo } }\nusageLimits: [{ metric: requests, limit: 1, period: month }]',
    `neuron: tight/hello\naccess: { public: true }\n${FLOW}`,
  ].join('\n---\n');
