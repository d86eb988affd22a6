// Vercel's AI SDK: npm install ai @ai-sdk/openai-compatible
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText } from 'ai';

const neuron = createOpenAICompatible({
  name: 'neuron',
  baseURL: process.env.NEURON_OPENAI_URL ?? 'http://127.0.0.1:3000/v1/acme/dialog',
  apiKey: process.env.NEURON_API_KEY ?? 'public',
  includeUsage: true,
  supportsStructuredOutputs: true,
});

const { text } = await generateText({ model: neuron('acme/dialog'), prompt: 'Why is the sky blue?' });
process.stdout.write(`${text}\n`);
