// No line that a reader pastes fetches a package of strangers: `neuron` is somebody else's name on npm, and `neuron-client` is nobody's yet.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { ROOT } from '../source-tree.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const pages = ['README.md', 'client/README.md', ...globSync('{docs,examples}/**/*.md', { cwd: ROOT })];
const files = [
  ...pages,
  ...globSync('{docs,examples}/**/*.{html,js,mjs,yaml,yml,sh}', {
    cwd: ROOT,
    exclude: (path) => path.includes('node_modules') || path.includes('.venv'),
  }),
].toSorted();

/** Options of npx and npm that take no value. */
const OPTION = String.raw`(?:-{1,2}[a-z][a-z-]*(?:=\S+)?\s+)*`;

interface PastedWord {
  readonly file: string;
  readonly word: string;
}

/** The words after each `command`, up to the end of the line, a comment, or what ends a command. */
function wordsAfter(command: string): readonly PastedWord[] {
  const pattern = new RegExp(String.raw`\b${command}[ \t]+${OPTION}([^\n#|&;\`)]*)`, 'g');
  return files.flatMap((file) =>
    [...read(file).matchAll(pattern)].map(([, rest = '']) => ({ file, word: rest.trim() })),
  );
}

/** True for a program that npx finds in the clone, and does not look for on npm. */
function isInClone(name: string): boolean {
  return Object.hasOwn(packageJson.bin, name) || existsSync(join(ROOT, 'node_modules/.bin', name));
}

/** Packages of others that an app of the reader's own needs. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  ...['aws-cdk-lib', 'constructs', 'aws-cdk'],
  ...['openai', 'ai', '@ai-sdk/openai-compatible', '@langchain/openai', '@langchain/core'],
]);

function isSafeToInstall(word: string): boolean {
  return word.startsWith('-') || /^\.{1,2}\//.test(word) || OF_OTHERS.has(word.replace(/@[\d.]+$/, ''));
}

describe('lines to paste', () => {
  it('run nothing by npx that is not in the clone', () => {
    const run = [...wordsAfter('npx'), ...wordsAfter('npm exec'), ...wordsAfter('bunx')];
    expect(run.length).toBeGreaterThan(50);
    const others = run.filter(({ word }) => !isInClone(word.split(/\s/)[0] ?? ''));
    // `npx neuron …` as a word of a sentence.
    expect(others.filter(({ word }) => word !== '')).toEqual([]);
  });

  it('install files, and of npm only what others own and the page names', () => {
    const installed = [
      'npm install',
      'npm i',
      'npm add',
      'yarn add',
      'pnpm add',
      'bun add',
      'deno add',
    ].flatMap(wordsAfter);
    const packages = installed.flatMap(({ file, word }) =>
      word
        .split(/\s+/)
        .filter((one) => one !== '' && !isSafeToInstall(one))
        .map((one) => `${file}: ${one}`),
    );
    // client.md says what not to type.
    expect(packages).toEqual(['docs/client.md: neuron-client']);
    expect(read('docs/client.md')).toContain('**do not type `npm install neuron-client`**');
  });

  it('load no module from another host', () => {
    const loaded = files.filter((file) =>
      /(?:esm\.sh|unpkg\.com|jsdelivr\.net|skypack\.dev|['"]npm:)/.test(read(file)),
    );
    expect(loaded).toEqual([]);
  });

  it.each(pages.filter((page) => /\bnpx neuron\b/.test(read(page))))(
    'are said to be for the clone before the first `npx neuron` of %s',
    (page) => {
      const text = read(page).replaceAll(/\s+/g, ' ');
      const note = text.search(
        /`npx neuron` in (?:the clone|this folder).{0,40}: anywhere else npm would fetch a stranger's package/,
      );
      expect(note).toBeGreaterThan(-1);
      expect(note).toBeLessThanOrEqual(text.search(/npx neuron --?[a-z]|npx neuron [a-z]+ (?!the)/));
    },
  );

  it('have the programs that the clone has', () => {
    expect(packageJson.bin).toMatchObject({ neuron: expect.any(String) });
    expect(isInClone('cdk')).toBe(true);
    expect(isInClone('some-stranger')).toBe(false);
  });
});
