// `neuron apply --message`: why a version was made is kept on it, beside who made it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, type MemoryPorts, runWith } from '../memory-ports.ts';

const settings = (text: string) =>
  `organization: acme\n---\nneuron: acme/hello\naccess: { public: true }\nflow: [{ serveOutput: { text: ${text} } }]\n`;

function apply(ports: MemoryPorts, text: string, ...words: readonly string[]) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.yaml'), settings(text));
  return runWith(ports, ['apply', 'a.yaml', ...words], { folder });
}

describe('neuron apply --message', () => {
  it('is shown with the author by versions list and versions show', async () => {
    const ports = createMemoryPorts();
    await apply(ports, 'one');
    expect((await apply(ports, 'two', '--message', 'Be kinder: ticket 12')).exitCode).toBe(0);
    const { stdout } = await runWith(ports, ['versions', 'list', 'acme/hello', '--json']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([
      { version: 'v2', author: 'arn:aws:iam::123456789012:user/ada', message: 'Be kinder: ticket 12' },
      { version: 'v1', author: 'arn:aws:iam::123456789012:user/ada', message: null },
    ]);
    const shown = await runWith(ports, ['versions', 'show', 'acme/hello', 'v2']);
    expect(shown.stderr).toContain('by arn:aws:iam::123456789012:user/ada: Be kinder: ticket 12');
  });

  it('says so when no version is created that could store it', async () => {
    const ports = createMemoryPorts();
    await apply(ports, 'one');
    const again = await apply(ports, 'one', '--message', 'for nothing');
    expect(again.exitCode).toBe(0);
    expect(again.stderr).toContain('the message is not stored');
  });

  it.each(['', '   ', 'two\nlines', 'x'.repeat(501)])('refuses %j', async (message) => {
    const rejected = await apply(createMemoryPorts(), 'one', '--message', message);
    expect(rejected.exitCode).toBe(2);
    expect(rejected.stderr).toContain('It must be one line of 1 to 500 characters.');
  });
});
