// Commands with secrets at hand: given on standard input, in variables, in files, and where they do not belong.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { AccessStack } from './access-stack.ts';
import type { Planted } from './canary-planted.ts';
import type { CommandResult } from './command.ts';

/** Runs them and gives all that they said. What shows a new key, which is its purpose, is not among them. */
export async function runCommands({ stack }: AccessStack, planted: Planted): Promise<CommandResult[]> {
  const { apiKeys, jwts, providerKey, previewKey, wrongPreviewKey } = planted;
  const wrongFile = join(temporaryFolder(), 'wrong.yaml');
  writeFileSync(wrongFile, wrongSettings(providerKey));
  const lists = [
    ['keys', 'list', 'acme'],
    ['keys', 'list', 'acme', '--json'],
    ['secrets', 'list', 'acme', '--json'],
    ['show', 'acme'],
    ['logs', 'acme'],
    ['logs', 'acme', '--json'],
    ['versions', 'list', 'acme/hashed', '--json'],
    ['logs', 'restore', '--json'],
    ['doctor'],
    ['apply', wrongFile],
    ['keys', 'revoke', 'acme', apiKeys.unknown],
    ['keys', 'revoke', 'acme', apiKeys.revoked, '--json'],
  ];
  const tokens = [apiKeys.valid, apiKeys.revoked, apiKeys.unknown, jwts.valid];
  const results: CommandResult[] = [];
  for (const words of lists) results.push(await stack.neuron(words));
  for (const token of tokens) {
    const environment = { NEURON_TOKEN: token, NEURON_PREVIEW_KEY: wrongPreviewKey };
    results.push(
      await stack.neuron(['explain', 'acme/keyed', '--json'], { environment }),
      await stack.neuron(['explain', 'acme/tokens'], { environment }),
      await stack.neuron(['call', 'acme/keyed', '--input', 'x'], { environment }),
    );
  }
  for (const key of [previewKey, wrongPreviewKey]) {
    const environment = { NEURON_TOKEN: apiKeys.valid, NEURON_PREVIEW_KEY: key };
    results.push(
      await stack.neuron(['call', 'acme/hashed', '--revision', 'v1', '--input', 'x'], { environment }),
    );
  }
  results.push(
    await stack.neuron(['secrets', 'set', 'acme', 'provider-key', '--for', 'providers'], {
      input: providerKey,
    }),
  );
  return results;
}

/** Values where names of secrets belong. */
function wrongSettings(value: string): string {
  return `organization: acme
providers:
  one: { type: openai, baseUrl: "https://user:${value}@api.example.com/v1", apiKey: ${value} }
  two: { type: openai, baseUrl: "https://api.example.com/v1", apiKey: { secret: "${value}" } }
---
neuron: acme/wrong
access: { jwt: { sharedSecret: ${value} } }
flow: [{ stop: {} }]
`;
}
