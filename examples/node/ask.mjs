// Calls a neuron from a back end, with an API key from the environment: node examples/node/ask.mjs "Why is the sky blue?"
import { NeuronClient, NeuronError } from '../../client/dist/index.js';

const client = new NeuronClient({ jwtOrApiKey: process.env.NEURON_API_KEY, timeout: 60_000 });

try {
  const input = process.argv[2] ?? 'Hello';
  const { output } = await client.callNeuron('acme', 'private', { input });
  process.stdout.write(`${output}\n`);
} catch (error) {
  if (!(error instanceof NeuronError)) throw error;
  process.stderr.write(`${error.statusCode} ${error.code}: ${error.error}\n`);
  process.exitCode = 1;
}
