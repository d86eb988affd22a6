// OpenAI's client for Node: npm install openai
import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: process.env.NEURON_OPENAI_URL ?? 'http://127.0.0.1:3000/v1/acme/dialog',
  apiKey: process.env.NEURON_API_KEY ?? 'public',
});

const messages = [{ role: 'user', content: 'Why is the sky blue?' }];
for await (const chunk of await client.chat.completions.create({
  model: 'acme/dialog',
  messages,
  stream: true,
})) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '');
}
process.stdout.write('\n');
