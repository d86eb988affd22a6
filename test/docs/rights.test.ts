// The table of docs/rights.md: exactly what the emulator runs with IAM enforced.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentedRows, FOREIGN_COMMANDS, OWN_COMMANDS } from '../emulator/role-commands.ts';

it('says for each command who may run it, as the emulator checks it', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/rights.md'), 'utf8');
  expect(page.split('\n').filter((line) => line.startsWith('| `') && !line.includes('service.'))).toEqual(
    documentedRows(),
  );
});

it('lets an author run nothing in an organization that was not granted', () => {
  expect(FOREIGN_COMMANDS.filter(([, allowed]) => allowed.includes('author'))).toEqual([]);
  expect(OWN_COMMANDS.filter(([, allowed]) => allowed.includes('author')).length).toBeGreaterThan(5);
});
