// Which lines of the console's sources its tests ran in Chromium: `NEURON_COVERAGE=FOLDER` collects, and this file, run with the folder, reports.
import { randomUUID } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap, type SourceMapping } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { ROOT } from './command.ts';

const FOLDER = process.env['NEURON_COVERAGE'];

type Coverage = Awaited<ReturnType<Page['coverage']['stopJSCoverage']>>;

/** Does nothing unless it is asked for, as it slows the page. */
export async function startCoverage(page: Page): Promise<void> {
  if (FOLDER === undefined) return;
  const start = () => page.coverage.startJSCoverage({ resetOnNavigation: false });
  // What a document ran is lost with it.
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (...to) => {
    await keepCoverage(page);
    await start();
    return goto(...to);
  };
  page.reload = async (...options) => {
    await keepCoverage(page);
    await start();
    return reload(...options);
  };
  await start();
}

/** Before the page is closed. */
export async function keepCoverage(page: Page): Promise<void> {
  if (FOLDER === undefined || page.isClosed()) return;
  const scripts = (await page.coverage.stopJSCoverage()).filter(({ url }) => url.includes('/assets/'));
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${randomUUID()}.json`), JSON.stringify(scripts));
}

/** Lines of a source by whether any of their code ran. */
interface FileLines {
  readonly ran: Set<number>;
  readonly all: Set<number>;
}

/** For each character of the script whether it ran: inner ranges of the engine count more than outer ones. */
function paint(length: number, { functions }: Coverage[number]): Uint8Array {
  const ranges = functions.flatMap((one) => one.ranges);
  const painted = new Uint8Array(length);
  for (const { startOffset, endOffset, count } of ranges.toSorted(
    (one, other) => other.endOffset - other.startOffset - (one.endOffset - one.startOffset),
  ))
    painted.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return painted;
}

/** `folder`: of the map, to which its sources are relative. */
function addLines(
  files: Map<string, FileLines>,
  script: string,
  { folder, map }: { readonly folder: string; readonly map: SourceMap },
  ran: Uint8Array,
): void {
  let line = 0;
  let start = 0;
  for (let at = 0; at < script.length; at += 1) {
    if (script[at] === '\n') {
      line += 1;
      start = at + 1;
      continue;
    }
    const { originalSource, originalLine = 0 }: Partial<SourceMapping> = map.findEntry(line, at - start);
    // What the bundler adds has no source.
    if (originalSource === undefined) continue;
    const path = relative(ROOT, resolve(folder, originalSource));
    if (!/^console\/.*\.tsx?$/.test(path)) continue;
    const lines = files.get(path) ?? { ran: new Set(), all: new Set() };
    files.set(path, lines);
    lines.all.add(originalLine + 1);
    if (ran[at] === 1) lines.ran.add(originalLine + 1);
  }
}

/** Prints the share of each source, those that ran least first, with the lines that did not run. */
async function report(folder: string): Promise<void> {
  const built = mkdtempSync(join(tmpdir(), 'console-'));
  // It loads Vite.
  const { buildConsole } = await import('../../../bin/build-console.ts');
  await buildConsole(built, 'hidden');
  const runs = globSync('*.json', { cwd: folder }).flatMap(
    (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage,
  );
  const files = new Map<string, FileLines>();
  for (const name of globSync('assets/*.js', { cwd: built })) {
    const script = readFileSync(join(built, name), 'utf8');
    const map = new SourceMap(JSON.parse(readFileSync(join(built, `${name}.map`), 'utf8')));
    const ran = new Uint8Array(script.length);
    for (const run of runs)
      if (run.source === script) for (const [at, one] of paint(script.length, run).entries()) ran[at] ||= one;
    addLines(files, script, { folder: join(built, 'assets'), map }, ran);
  }
  rmSync(built, { recursive: true });
  const share = ({ ran, all }: FileLines) => ran.size / all.size;
  for (const [path, lines] of [...files].toSorted(([, one], [, other]) => share(one) - share(other)))
    process.stdout.write(
      `${(share(lines) * 100).toFixed(0)} % ${path} ${[...lines.all.difference(lines.ran)].toSorted((one, other) => one - other).join(' ')}\n`,
    );
  const sum = (kind: 'ran' | 'all') => [...files.values()].reduce((all, one) => all + one[kind].size, 0);
  process.stdout.write(
    `${sum('ran')} of ${sum('all')} lines, ${((sum('ran') / sum('all')) * 100).toFixed(1)} %\n`,
  );
}

if (import.meta.main) await report(process.argv[2] ?? '');
