// `neuron init`: writes a commented settings file that is valid and answers calls as it is.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { CommandFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import type { Bind } from '../session/session.ts';

/** The file that is written. */
export const START_FILE = 'neurons.yaml';

/** Its content: one organization with the offline provider and one public neuron. */
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

export function registerInit(program: Command, bind: Bind): void {
  program
    .command('init')
    .description('Writes a commented settings file to start from.')
    .argument('<folder>', 'target folder, created if it does not exist')
    .action(
      bind(async (session, { args: [folder = ''] }) => {
        init({ args: { folder: resolve(session.terminal.folder, folder) }, out: session.out });
      }),
    );
}

/** Writes the file. Throws `CommandFailure` rather than overwrite one. */
function init({ args, out }: { readonly args: { readonly folder: string }; readonly out: Output }): void {
  const path = join(args.folder, START_FILE);
  try {
    mkdirSync(args.folder, { recursive: true });
    writeFileSync(path, START, { flag: 'wx' });
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new CommandFailure({
      what: exists ? `${path} already exists. Nothing was written.` : `${path} cannot be written.`,
      why: exists ? undefined : (error as Error).message,
      remedy: exists ? 'Choose another folder.' : undefined,
    });
  }
  out.value({ file: path }, `Wrote ${path}`);
  out.message(`Next: neuron validate ${args.folder}, then neuron --local apply ${args.folder}`);
}
