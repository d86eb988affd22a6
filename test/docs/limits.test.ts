// The table in docs/limits.md is what the simulation prints.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { simulateLimits } from '../../bench/limits-simulation.ts';

it('docs/limits.md shows what bench/limits-simulation.ts prints', async () => {
  const page = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');
  const shown = /<!-- simulation:begin -->\n([\s\S]*?)\n<!-- simulation:end -->/.exec(page)?.[1];
  expect(shown).toBe(await simulateLimits());
});
