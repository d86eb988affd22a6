// promptfoo calls acme/parcel of `npm start` twice: by its HTTP provider, and by OpenAI's surface (docs/promptfoo.md).
// promptfoo eval --no-cache -c examples/promptfoo/promptfooconfig.mjs
// A file of JavaScript, since `npm start` applies each YAML file of this folder as settings.
const url = process.env.NEURON_URL ?? 'http://127.0.0.1:3000';
const apiKey = process.env.NEURON_API_KEY ?? 'public';

export default {
  description: 'acme/parcel as its callers see it',
  prompts: ['file://prompt.mjs'],
  providers: [
    {
      id: 'http',
      label: 'native',
      config: {
        url: `${url}/acme/parcel`,
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
        // In place of `body: { input: '{{prompt}}' }`, which sends numbers as texts, and an input that is JSON as an object.
        body: {},
        transformRequest: (_prompt, { question, order, days }) => ({
          input: question,
          variables: { order, days },
        }),
        // Without it promptfoo takes the body of an error for an answer.
        validateStatus: (status) => status === 200,
        // The cost is in a header for callers with an API key; promptfoo knows no prices of a neuron.
        transformResponse: (json, _text, { response }) => {
          const cost = response.headers['x-cost-microdollars'];
          return { output: json.output, ...(cost === undefined ? {} : { cost: Number(cost) / 1e6 }) };
        },
      },
    },
    {
      id: 'openai:chat:acme/parcel',
      label: 'openai',
      // `omitDefaults`: promptfoo would send a temperature of 0 and at most 1,024 tokens.
      config: { apiBaseUrl: `${url}/v1/acme/parcel`, apiKey, omitDefaults: true },
    },
  ],
  tests: [
    {
      description: 'names the order and the days',
      vars: { question: 'When does it come?', order: 'A 17', days: 3 },
      assert: [
        { type: 'contains', value: 'Order A 17 takes 3 days' },
        { type: 'icontains', value: 'when does it come?' },
        { type: 'not-contains', value: 'undefined' },
        { type: 'latency', threshold: 5000 },
      ],
    },
    {
      description: 'json',
      vars: { question: '{"lost": true}', order: '17', days: 2.5 },
      assert: [{ type: 'contains', value: 'Order 17 takes 2.5 days. {"lost": true}' }],
    },
    {
      description: 'takes quotes and line breaks as they are',
      vars: { question: 'Is "A\n17" {"lost": true}?', order: 'the "red" one', days: 1 },
      assert: [{ type: 'contains', value: 'Order the "red" one takes 1 days. Is "A\n17" {"lost": true}?' }],
    },
  ],
};
