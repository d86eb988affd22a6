// Stand-ins of services that need an account: each answers every call with an empty verdict in the form of its API. Run: node fakes.mjs PORT
import { createServer } from 'node:http';

const categoriesOf = (list, of) => list.map(({ category }) => ({ category, ...of }));
const unitsOf = (texts) => Math.max(1, Math.ceil(texts.join('').length / 1_000));

function chatOf({ messages }) {
  const said = JSON.stringify(messages);
  const content = messages.some(({ role }) => role === 'system') ? '{"violation":0}' : 'safe';
  return {
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: Math.ceil(said.length / 4),
      completion_tokens: 5,
      total_tokens: Math.ceil(said.length / 4) + 5,
    },
  };
}

function checksOf({ checks, messages }) {
  const textUnits = unitsOf(messages.flatMap(({ content }) => content.map(({ text }) => text)));
  const results = Object.entries(checks).map(([name, { categories = [] }]) => [
    name,
    { results: categoriesOf(categories, { severityScore: 0 }) },
  ]);
  const usage = Object.keys(checks).map((name) => [name, { textUnits }]);
  return { results: Object.fromEntries(results), usage: Object.fromEntries(usage) };
}

const ANSWERS = {
  '/moderations': ({ input }) => ({
    results: input.map(() => ({
      flagged: false,
      categories: { violence: false },
      category_scores: { violence: 0 },
    })),
  }),
  'text:shieldPrompt': ({ userPrompt, documents = [] }) => ({
    ...(userPrompt === undefined ? {} : { userPromptAnalysis: { attackDetected: false } }),
    documentsAnalysis: documents.map(() => ({ attackDetected: false })),
  }),
  'text:analyze': ({ categories }) => ({
    blocklistsMatch: [],
    categoriesAnalysis: categories.map((category) => ({ category, severity: 0 })),
  }),
  '/apply': ({ content }) => ({
    action: 'NONE',
    outputs: [],
    assessments: [{}],
    usage: { contentPolicyUnits: unitsOf(content.map(({ text }) => text.text)) },
  }),
  '/guardrail-checks/invoke': checksOf,
  '/chat/completions': chatOf,
};

createServer(async (request, response) => {
  const asked = JSON.parse(Buffer.concat(await request.toArray()).toString());
  const [path] = request.url.split('?');
  const answer = Object.entries(ANSWERS).find(([end]) => path.endsWith(end))?.[1];
  if (answer === undefined) return response.writeHead(404).end('{}');
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answer(asked)));
}).listen(Number(process.argv[2]), '127.0.0.1');
