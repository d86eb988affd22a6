// The settings that the console is looked at with.

/** As long as a slug can be. */
export const LONG_SLUG = 'n'.repeat(63);

export const SETTINGS = `organization: acme
name: Acme <i>Inc.</i>
providers: { demo: { type: echo } }
usageLimits:
  - { metric: cost, limit: 500, period: month }
  - { metric: requests, limit: 50, period: day, alertAt: [2] }
---
neuron: acme/hello
access: { public: true }
maxInputBytes: 1000000
deadline: 20s
logging: { bodies: full }
flow: [{ systemInstructions: Be brief. }, { callModel: { provider: demo, model: echo-1, maxTokens: 300000, accepts: [history] } }]
---
neuron: acme/guarded
access: { apiKey: true, referers: [app.example.com] }
rateLimits: [{ metric: requests, scope: total, limit: 100, period: 1h }]
flow: [{ callModel: { provider: demo, model: echo-1 } }]
---
neuron: acme/${LONG_SLUG}
access: { public: true }
flow: [{ callModel: { provider: demo, model: echo-1 } }]
`;

/** Another version of one neuron, with a character that turns the direction of text. */
export const SECOND_SETTINGS = SETTINGS.replace('Be brief.', '"Be very brief.\\u202e"');
