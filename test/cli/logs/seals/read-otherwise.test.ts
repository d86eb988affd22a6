// What other programs would read otherwise than `neuron logs verify`: an export has none of it, wherever digests were made anew.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exported, verify } from './forge.ts';

/** Puts other content in the place of an export's, with its length and digest in the manifest. */
function rewrite(path: string, content: string | Buffer): void {
  writeFileSync(path, content);
  const manifest = JSON.parse(readFileSync(`${path}.manifest.json`, 'utf8')) as object;
  const sha256 = createHash('sha256').update(content).digest('hex');
  const forged = { ...manifest, bytes: Buffer.byteLength(content), sha256 };
  writeFileSync(`${path}.manifest.json`, JSON.stringify(forged));
}

/** Verifies an export whose text was changed, and its manifest with it. */
async function forgeText(format: string, change: (text: string) => string) {
  const { path } = await exported(format);
  const before = readFileSync(path, 'utf8');
  const text = change(before);
  expect(text).not.toBe(before);
  rewrite(path, text);
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

/** Writes the columns of an export anew, under these names. */
async function rewriteParquet(
  path: string,
  names: (columns: readonly string[]) => readonly [from: string, to: string][],
) {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const file = await asyncBufferFromFile(path);
  const { schema } = await parquetMetadataAsync(file);
  const rows = await parquetReadObjects({ file });
  const stored = names(schema.slice(1).map(({ name }) => name));
  const columnData = stored.map(([from, name]) => ({ name, data: rows.map((row) => row[from] ?? null) }));
  const [root] = schema;
  const kept = stored.map(([from, name]) => ({ ...schema.find((one) => one.name === from)!, name }));
  const bytes = Buffer.from(
    parquetWriteBuffer({ columnData, schema: [{ ...root!, num_children: kept.length }, ...kept] }),
  );
  rewrite(path, bytes);
}

const same = (name: string): [string, string] => [name, name];

it('Parquet with a column of another name is named', async () => {
  const { path } = await exported('parquet');
  await rewriteParquet(path, (columns) => [...columns.map(same), ['sourceIp', 'user']]);
  expect((await verify(path)).stderr).toMatch(/Entry 1 of .* cannot be read/);
});

it.each(['csv', 'parquet'])('%s of a release that had fewer columns is intact', async (format) => {
  const { path } = await exported(format);
  // No entry here has a value in them.
  const later = new Set(['leftOut', 'traceparent']);
  if (format === 'parquet') {
    await rewriteParquet(path, (columns) => columns.filter((name) => !later.has(name)).map(same));
  } else {
    const [header = '', ...rows] = readFileSync(path, 'utf8').split('\r\n');
    const kept = header.split(',').flatMap((name, at) => (later.has(name) ? [] : [at]));
    // Texts in quotes hold no line ends here.
    const cellsOf = (row: string) => row.match(/(?:^|,)(?:"(?:[^"]|"")*"|[^,]*)/g) ?? [];
    const cut = (row: string) => kept.map((at) => (cellsOf(row)[at] ?? '').replace(/^,/, '')).join(',');
    const text = [header, ...rows].map((row) => (row === '' ? row : cut(row))).join('\r\n');
    rewrite(path, text);
  }
  const { stdout, exitCode } = await verify(path);
  expect(stdout).toContain('is intact: 4 whole');
  expect(exitCode).toBe(0);
});
