// What other programs would read otherwise than `neuron logs verify`: an export has none of it, wherever digests were made anew.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exported, verify } from './forge.ts';

/** Verifies an export whose text was changed, and its manifest with it. */
async function forgeText(format: string, change: (text: string) => string) {
  const { path } = await exported(format);
  const before = readFileSync(path, 'utf8');
  const text = change(before);
  expect(text).not.toBe(before);
  writeFileSync(path, text);
  const manifest = JSON.parse(readFileSync(`${path}.manifest.json`, 'utf8')) as object;
  const sha256 = createHash('sha256').update(text).digest('hex');
  const forged = { ...manifest, bytes: Buffer.byteLength(text), sha256 };
  writeFileSync(`${path}.manifest.json`, JSON.stringify(forged));
  return verify(path);
}

it.each<[format: string, name: string, change: (text: string) => string]>([
  ['jsonl', 'a member twice', (text) => text.replace('{', '{"username":"bob",')],
  ['jsonl', 'a member twice, once escaped', (text) => text.replace('{', '{"user\\u006eame":"bob",')],
  ['jsonl', 'a member of a member twice', (text) => text.replace(/:\{"/, ':{"model":"x","model":"y","')],
  ['jsonl', 'a blank', (text) => text.replace('{', '{ ')],
  ['jsonl', 'a byte order mark', (text) => `\ufeff${text}`],
  ['jsonl', 'an end of a line of Windows', (text) => text.replace('\n', '\r\n')],
  ['csv', 'other names of columns', (text) => text.replace('username', 'address')],
  ['csv', 'a column too many', (text) => text.replace('\r\n', ',username\r\n')],
  ['csv', 'a cell too many', (text) => text.replace(/(\r\n.*?)\r\n/, '$1,bob\r\n')],
  ['csv', 'quotes that nobody needs', (text) => text.replace(',ann,', ',"ann",')],
  ['csv', 'a byte order mark', (text) => `\ufeff${text}`],
  ['csv', 'no header', (text) => text.slice(text.indexOf('\n') + 1)],
])('%s with %s is named', async (format, _name, change) => {
  const { stdout, stderr, exitCode } = await forgeText(format, change);
  expect(stdout + stderr).toMatch(/Entry \d+ of .* cannot be read/);
  expect(stderr).not.toContain('This is a defect');
  expect(exitCode).toBe(1);
});

it.each([
  ['.manifest.json', 'is not the manifest of an export'],
  ['.seals.jsonl', 'seal 1 is unreadable'],
])('a member twice in %s is named', async (ending, named) => {
  const { path } = await exported();
  const text = readFileSync(`${path}${ending}`, 'utf8');
  writeFileSync(`${path}${ending}`, text.replace(/"(organization|chain)":/, '"$1":"other",$&'));
  const { stdout, stderr, exitCode } = await verify(path);
  expect(stdout + stderr).toContain(named);
  expect(exitCode).toBe(1);
});
