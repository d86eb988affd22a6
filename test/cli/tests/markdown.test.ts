// The comment on a pull request: nothing of what models and callers write is markup in it.
import { describe, expect, it } from 'vitest';
import type { ReportedCase, ReportedRun, TestReport } from '../../../cli/json/tests.ts';
import { renderMarkdown } from '../../../cli/tests/markdown.ts';
import { renderComment } from '../../docs/draw-comment.ts';

const HOSTILE = [
  '<img src="https://evil.example/x.png"><script>alert(1)</script>',
  '[click](https://evil.example) ![](https://evil.example/x.png) <https://evil.example>',
  'https://evil.example www.evil.example',
  '```\n</td></tr></table></details>\n# Merged\n',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '&lt;a href="https://evil.example"&gt; &#60;b&#62;',
];

function reportOf(text: string): TestReport {
  const run: ReportedRun = {
    ...{ status: 'failed', output: text, error: text, score: 0, latencyMs: 1, costMicrodollars: 1 },
    assertions: [],
  };
  const failed: ReportedCase = {
    ...{ tests: 'acme/support', case: text, status: 'failed', passed: 0, passRate: 1, score: 0 },
    ...{ interval: null, runs: [run] },
  };
  const side = {
    ...{ version: text, cases: 1, casesPassed: 0, casesAlwaysPassed: 0, casesInterval: null, runs: 1 },
    ...{ runsPassed: 0, costMicrodollars: 0, tokensInput: 0, tokensOutput: 0, latencyMs: 1, metrics: {} },
    ...{ callsReplayed: 0, callsMade: 0, results: [failed] },
  };
  return { format: 1, passed: false, versions: [side, side], comparison: null };
}

describe('the Markdown of a report, rendered', () => {
  it.each(HOSTILE)('has no element of %j', (text) => {
    const html = renderComment(renderMarkdown(reportOf(text)));
    const tags = new Set([...html.matchAll(/<([a-z][a-z0-9]*)/g)].map(([, tag]) => tag));
    const own = ['h2', 'code', 'ul', 'li', 'strong', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'p', 'pre'];
    expect([...tags].filter((tag) => ![...own, 'details', 'summary'].includes(tag ?? ''))).toEqual([]);
    // That of the cases, and that of the answers.
    expect([html.match(/<table/g)?.length, html.match(/<\/table>/g)?.length]).toEqual([2, 2]);
    expect(html.match(/<h2/g)).toHaveLength(1);
  });

  it('would be caught with a link', () => {
    expect(renderComment('https://evil.example <b>a</b>')).toMatch(/<a href.*<b>/);
  });

  it('mentions nobody, and no issue', () => {
    const html = renderComment(renderMarkdown(reportOf('@octocat see #12')));
    // Neither in a cell nor in a summary; code is left alone by GitHub.
    expect(html.replaceAll(/<pre>[\s\S]*?<\/pre>/g, '')).not.toMatch(/@octocat|#12/);
    expect(html).toContain('<code class="language-text">@octocat see #12');
  });
});

describe('the Markdown of a report that is too long for a comment', () => {
  /** 999 cases that pass, and one that fails at the end. */
  function longReport(text: string): TestReport {
    const { versions, ...report } = reportOf(text);
    const sides = versions.map((side) => ({
      ...side,
      results: Array.from({ length: 1_000 }, (_, at): ReportedCase => {
        const [one] = side.results;
        return { ...one!, case: `${at} ${text}`.slice(0, 200), status: at === 999 ? 'failed' : 'passed' };
      }),
    }));
    return { ...report, versions: sides };
  }

  it.each([
    ['names', 'opening hours'],
    ['mentions', '@'.repeat(20_000)],
    ['quotes', '`'.repeat(20_000)],
    ['pairs of surrogates', '😀'.repeat(10_000)],
    ['markup', '<&>'.repeat(7_000)],
  ])('is bounded and whole with %s, and has what failed', (_what, text) => {
    const markdown = renderMarkdown(longReport(text));
    expect(markdown.length).toBeLessThanOrEqual(65_000);
    expect(markdown).toMatch(/^\| acme\/support · 999 /m);
    expect(markdown).toMatch(/^\d+ more cases are in the JSON report\.$/m);
    const html = renderComment(markdown);
    expect([html.match(/<table/g)?.length, html.match(/<\/details>/g)?.length]).toEqual([
      1 + (html.match(/<details>/g)?.length ?? 0),
      html.match(/<details>/g)?.length,
    ]);
    expect(markdown.isWellFormed()).toBe(true);
  });
});
