// What axe-core finds on a page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A rule that a page breaks, and where. */
interface Violation {
  readonly id: string;
  readonly nodes: readonly string[];
}

/** Everything that axe finds, whatever its impact. `contrast` looks at nothing else. */
export async function violations(
  page: Page,
  rules: 'all' | 'contrast' = 'all',
): Promise<readonly Violation[]> {
  // A page keeps it until it is loaded anew.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${AXE}; null`);
  const runOnly = rules === 'all' ? TAGS : { type: 'rule', values: ['color-contrast'] };
  return page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'], selectors: false, preload: false }).then(({ violations }) => violations
    .map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 3).map(({ html }) => html) })))`);
}
