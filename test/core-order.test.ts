// Holds the order of core's folders: imports go down, types included, and the steps of a request know each other's types only.
import { describe, expect, it } from 'vitest';
import { readSources } from './source-tree.ts';

/** From the ground up (docs/decisions/0028-surfaces-beside-the-ports.md). Folders of one row are steps of a request, beside each other. */
const ORDER = [
  ['contract', 'text'],
  ['time', 'statistics'],
  ['async'],
  ['conversation', 'settings'],
  ['surfaces', 'ports'],
  ['access', 'limits', 'cache', 'idempotency', 'flow', 'pricing', 'logs', 'usage', 'rollouts', 'feedback'],
  ['guards'],
  ['alerts', 'tests'],
  ['admin'],
] as const satisfies readonly (readonly string[])[];

const sources = readSources(['core']);

function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function levelOf(folder: string): number {
  return ORDER.findIndex((row) => (row as readonly string[]).includes(folder));
}

/** Imports from one folder of core into another. */
const arrows = sources.flatMap(({ path, imports }) =>
  imports.flatMap(({ target, typeOnly }) => {
    if (target === undefined || !target.startsWith('core/')) return [];
    const [from, to] = [folderOf(path), folderOf(target)];
    return from === to ? [] : [{ path, target, typeOnly, from, to }];
  }),
);

describe('the folders of core', () => {
  it('are all in the order', () => {
    const folders = [...new Set(sources.map(({ path }) => folderOf(path)))];
    expect(folders.filter((folder) => levelOf(folder) === -1)).toEqual([]);
    expect(arrows.length).toBeGreaterThan(50);
  });

  it('import nothing from above, not even types', () => {
    const upward = arrows.filter(({ from, to }) => levelOf(to) > levelOf(from));
    expect(upward.map(({ path, target }) => `${path} → ${target}`)).toEqual([]);
  });

  it('that are steps of a request import only types of each other', () => {
    const values = arrows.filter(({ from, to, typeOnly }) => levelOf(to) === levelOf(from) && !typeOnly);
    expect(values.map(({ path, target }) => `${path} → ${target}`)).toEqual([]);
  });
});
