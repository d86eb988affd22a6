// `neuron init`: writes a commented settings file that is valid and can be applied as it is.
import { join, resolve } from 'node:path';
import { argument, command, flag } from '../command/command.ts';
import { writeNewFiles } from '../output/write-new-files.ts';
import { initFromOpenai } from './from-openai.ts';

export const START_FILE = 'neurons.yaml';

/** One organization with the offline provider, and one public neuron. */
export const START = `# Settings of one organization and its neurons. Check them with \`neuron validate\`, apply them with \`neuron apply\`.
# Documents are separated by ---, or stand in files of their own.

organization: my-organization        # part of every URL: a-z, 0-9 and -
name: My Organization
providers:
  demo: { type: echo }               # echoes its input offline; accepts any model name
  # openai:                          # any OpenAI-compatible endpoint
  #   type: openai
  #   baseUrl: https://api.openai.com/v1
  #   apiKey: { secret: openai-key } # the name of a secret, never its value. Set it with
  #                                  #   neuron secrets set my-organization openai-key --for providers
---
neuron: my-organization/hello        # called with POST /my-organization/hello
name: Hello
access:
  public: true                       # anyone who knows the URL; without \`access\` a neuron is closed
rateLimits:                          # further requests are answered 429 with Retry-After
  - { metric: requests, scope: ip, limit: 60, period: 1m }
logging:
  bodies: hash                       # full logs inputs and outputs, none logs neither
  retention: 90d
flow:                                # a changed flow becomes a new version when it is applied
  - systemInstructions: You answer in one sentence.
  - callModel: { provider: demo, model: echo-1, maxTokens: 300 }
`;

/** One neuron that takes everything that a client of OpenAI or Anthropic sends, for callers who bring their own prompts. */
export const PROXY_START = `# Settings of one organization, and of a neuron that passes on what its callers send. Check them with \`neuron validate\`,
# apply them with \`neuron apply\`, make a key with \`neuron keys create my-organization --name laptop\`.

organization: my-organization        # part of every URL: a-z, 0-9 and -
name: My Organization
providers:
  demo: { type: echo }               # echoes its input offline; accepts any model name
  # openai:                          # any OpenAI-compatible endpoint; then \`provider: openai\` below
  #   type: openai
  #   baseUrl: https://api.openai.com/v1
  #   apiKey: { secret: openai-key } # the name of a secret, never its value. Set it with
  #                                  #   neuron secrets set my-organization openai-key --for providers
---
neuron: my-organization/proxy        # base URL of clients: /v1/my-organization/proxy
name: Proxy
maxInputBytes: 1000000               # conversations of agents are long
access:
  apiKey: true                       # callers spend your money: each has a key
rateLimits:                          # further requests are answered 429 with Retry-After
  - { metric: requests, scope: user, limit: 600, period: 1m }
logging:
  bodies: hash                       # full logs inputs and outputs, none logs neither
  retention: 90d
flow:
  - callModel:
      provider: demo
      model: echo-1
      accepts: all                   # earlier turns, system texts, tools, images, documents, schemas, parameters and the rest
      images: { byAddress: true }    # the provider fetches images by their https address; nothing is fetched here
      # maxTokens: 32000             # without it the caller's counts, up to the model's maximum; 1024 for callers who say none
`;

export const init = command({
  name: 'init',
  arguments: { path: argument('<folder>', 'target folder, created if it does not exist') },
  options: {
    proxy: flag('--proxy', 'write a neuron that takes everything that clients and agents send'),
    fromOpenai: flag(
      '--from-openai',
      'ask three questions, then write, apply and call a neuron for apps that call OpenAI today',
    ),
  },
  conflicts: [{ option: 'proxy', with: ['fromOpenai'] }],
  async run({ path, proxy, fromOpenai }, session) {
    const { out, terminal } = session;
    const folder = resolve(terminal.folder, path);
    const file = join(folder, START_FILE);
    if (fromOpenai) return initFromOpenai(file, session);
    writeNewFiles(new Map([[file, proxy ? PROXY_START : START]]), 'Choose another folder.');
    out.value({ file }, `Wrote ${file}`);
    out.message(`Next: neuron validate ${folder}, then neuron --local apply ${folder}`);
  },
});
