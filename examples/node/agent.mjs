// An agent: the model decides which tools to run, this program runs them: node examples/node/agent.mjs "What is the weather in Bern?"
import { NeuronClient, NeuronError, runTools, ToolLoopError } from '../../client/dist/index.js';

const client = new NeuronClient({ jwtOrApiKey: process.env.NEURON_API_KEY, timeout: 60_000 });

const city = { type: 'string', description: 'The name of a city.' };
const parameters = { type: 'object', properties: { city }, required: ['city'], additionalProperties: false };
const temperatures = new Map([
  ['Bern', 21],
  ['Oslo', 12],
]);

const tools = [
  {
    name: 'weather',
    description: 'The temperature in a city, in degrees Celsius.',
    parameters,
    // What a model writes is input like any other: checked, never trusted.
    run: ({ city }) => {
      const known = [...temperatures.keys()].find((name) => String(city).includes(name));
      process.stderr.write(`weather ${known ?? 'of an unknown city'}\n`);
      return known === undefined ? 'This city is not known.' : `${known}: ${temperatures.get(known)} °C`;
    },
  },
  {
    name: 'time',
    description: 'The time in a city.',
    parameters,
    run: () => '12:00',
  },
];

try {
  const input = process.argv[2] ?? 'What is the weather in Bern?';
  const { output, calls } = await runTools(client, 'acme', 'dialog', { input, tools, maxCalls: 5 });
  process.stdout.write(`${output}\n`);
  process.stderr.write(`${calls} calls of the neuron\n`);
} catch (error) {
  if (!(error instanceof NeuronError) && !(error instanceof ToolLoopError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
