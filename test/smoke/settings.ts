// The organization that the checks make, call and delete again.

/** Its slug; nobody else's, or it would be deleted. */
export const ORGANIZATION = 'smoke-check';

/** Its public key set is at a name that a function must resolve itself. */
export const ISSUER = 'https://accounts.google.com';

/** One neuron per kind of access, all offline but `unset`, whose provider key is set by nobody. */
export const SETTINGS = `organization: ${ORGANIZATION}
providers:
  demo: { type: echo }
  words: { type: lexical }
  paced: { type: echo, wordsPerSecond: 1 }
  slow: { type: echo, delay: 31s, timeout: 60s }
  unset: { type: openai, baseUrl: "https://api.example.com/v1", apiKey: { secret: nobody-sets-this } }
---
neuron: ${ORGANIZATION}/open
access: { public: true }
flow:
  - callModel: { provider: demo, model: echo-1 }
---
neuron: ${ORGANIZATION}/private
access: { apiKey: true }
flow:
  - callModel: { provider: demo, model: echo-1 }
---
neuron: ${ORGANIZATION}/elsewhere
access: { ips: [203.0.113.7] }
flow:
  - callModel: { provider: demo, model: echo-1 }
---
neuron: ${ORGANIZATION}/linked
access: { referers: [app.example.com] }
flow:
  - callModel: { provider: demo, model: echo-1 }
---
neuron: ${ORGANIZATION}/members
access:
  jwt: { jwks: ["https://www.googleapis.com/oauth2/v3/certs"], algorithms: [RS256], issuer: "${ISSUER}", audience: ${ORGANIZATION} }
flow:
  - callModel: { provider: demo, model: echo-1 }
---
neuron: ${ORGANIZATION}/unset
access: { public: true }
flow:
  - callModel: { provider: unset, model: echo-1 }
---
neuron: ${ORGANIZATION}/similar
access: { public: true }
receipt: true
caching:
  semantic: { threshold: 0.80, allowPublic: true, embedding: { provider: words, model: echo-1 } }
flow:
  - callModel: { provider: demo, model: echo-1 }
---
neuron: ${ORGANIZATION}/paced
access: { public: true }
flow:
  - callModel: { provider: paced, model: echo-1 }
---
neuron: ${ORGANIZATION}/slow
access: { public: true }
deadline: 60s
flow:
  - callModel: { provider: slow, model: echo-1, timeout: 60s, retries: 0 }
`;
