// The page of access decisions: it is what the tests run, and its words mean what they say.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  ADDRESS_KINDS,
  CREDENTIAL_KINDS,
  PASSED_PAGES,
  REFERER_KINDS,
  REFUSED_PAGES,
} from '../core/access/decision-table.ts';
import { JWT_BLOCKS, JWT_CREDENTIAL_KINDS } from '../core/access/jwt-decision-table.ts';
import { PAGE, renderPage } from './write-access-table.ts';

it('shows the table that the tests run; `npm run build:access-table` writes it', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(renderPage());
});

it('has a row for each row of the table, and its short words are whole sets', () => {
  const rows = renderPage()
    .split('\n')
    .filter((line) => /^\| .*\*\*\d|^\| .*\*\*allow/.test(line));
  expect(rows).toHaveLength(90);
  // *refused* is every kind of page that is not *passing*; *not listed* is every address but the listed one.
  const pages = `${PASSED_PAGES} ${REFUSED_PAGES}`.split(' ');
  expect(pages.toSorted()).toEqual(Object.keys(REFERER_KINDS).toSorted());
  expect(Object.keys(ADDRESS_KINDS)).toEqual(['listed', 'foreign', 'ipv6', 'unknown']);
  expect(CREDENTIAL_KINDS).toHaveLength(12);
});

it('calls a credential with JWTs bad where no other row of its settings has it, and a key where keys are off', () => {
  for (const { settings, rows } of JWT_BLOCKS) {
    const cells = rows.map(([, , credential]) => credential).filter((cell) => cell !== 'any');
    const bad = cells.find((cell) => cell.startsWith('absent '))?.split(' ') ?? [];
    const others = cells.filter((cell) => !cell.startsWith('absent ')).flatMap((cell) => cell.split(' '));
    expect([...bad, ...others].toSorted()).toEqual([...JWT_CREDENTIAL_KINDS].toSorted());
    expect(bad.includes('key')).toBe(!settings[0]?.includes('apiKey'));
  }
});
