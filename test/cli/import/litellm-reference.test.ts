// Every member that LiteLLM's reference names is known to the command.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MEMBERS } from '../../../cli/import/members.ts';

it("knows every member of LiteLLM's reference, with what becomes of each", () => {
  const names = readFileSync(join(import.meta.dirname, 'litellm-reference.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(names.length).toBeGreaterThan(200);
  expect(names.filter((name) => !Object.hasOwn(MEMBERS, name))).toEqual([]);
});
