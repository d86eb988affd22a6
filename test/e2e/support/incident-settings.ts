// The settings files of docs/incidents.md: what two organizations run when something goes wrong.

/** A key that callers of `acme/desk` sign with. */
export const CHAT_SECRET = 'secret-of-the-chat-page-0123456789abcdef';

/** `acme.yaml` */
export const acmeSettings = ({ mainUrl, guardUrl }: { mainUrl: string; guardUrl: string }): string => `
organization: acme
providers:
  main: { type: openai, baseUrl: ${mainUrl} }
  demo: { type: echo }
  slow: { type: echo, delay: 1s }
guards:
  ours: { type: webhook, endpoint: ${guardUrl}, secret: { secret: guard-hmac } }
---
neuron: acme/support
access: { public: true }
rateLimits: [{ metric: requests, scope: ip, limit: 600, period: 1m }]
flow:
  - callModel: { provider: main, model: ok, retries: 0 }
---
neuron: acme/desk
access: { jwt: { sharedSecret: { secret: chat }, usernamePath: sub } }
rateLimits: [{ metric: concurrent, scope: total, limit: 2 }]
flow:
  - callModel: { provider: slow, model: echo-1 }
---
neuron: acme/shop
access: { apiKey: true }
flow:
  - callModel: { provider: demo, model: echo-1 }
---
neuron: acme/letters
access: { public: true }
rateLimits: [{ metric: requests, scope: ip, limit: 600, period: 1m }]
guards: [{ use: ours, on: [input], action: block, onFailure: closed }]
flow:
  - callModel: { provider: demo, model: echo-1 }
---
neuron: acme/answers
access: { public: true }
rateLimits: [{ metric: requests, scope: ip, limit: 600, period: 1m }]
flow:
  - callModel: { provider: demo, model: echo-1 }
`;

/** What a colleague applies: a flow that was left unfinished, and a bound that real questions exceed. */
export const BAD_DEPLOY = `
neuron: acme/answers
access: { public: true }
rateLimits: [{ metric: requests, scope: ip, limit: 600, period: 1m }]
maxInputBytes: 8
flow:
  - serveOutput: { text: TODO }
`;

/** `globex.yaml`: calls of a model at a price. */
export const GLOBEX_SETTINGS = `
organization: globex
providers: { demo: { type: echo } }
prices: { demo/echo-1: { input: 100000, output: 100000 } }
---
neuron: globex/agent
access: { public: true }
rateLimits: [{ metric: requests, scope: ip, limit: 600, period: 1m }]
flow:
  - callModel: { provider: demo, model: echo-1 }
---
neuron: globex/desk
access: { public: true }
rateLimits: [{ metric: requests, scope: ip, limit: 600, period: 1m }]
flow:
  - callModel: { provider: demo, model: echo-1 }
`;
