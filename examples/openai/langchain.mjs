// LangChain: npm install @langchain/openai @langchain/core
import { ChatOpenAI } from '@langchain/openai';

const model = new ChatOpenAI({
  model: 'acme/dialog',
  apiKey: process.env.NEURON_API_KEY ?? 'public',
  configuration: { baseURL: process.env.NEURON_OPENAI_URL ?? 'http://127.0.0.1:3000/v1/acme/dialog' },
});

const { content } = await model.invoke('Why is the sky blue?');
process.stdout.write(`${content}\n`);
