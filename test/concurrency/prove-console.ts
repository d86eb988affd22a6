// `npm run prove:console`: the console over a large log, in Chromium. Exits 1 where the first page of the explorer is more than a second
// slower than the store, scrolling is not smooth, or memory is not bounded. `CONSOLE_ENTRIES=20000` tries it in small, and writes nothing down.
import { readFileSync } from 'node:fs';
import { getPriority, loadavg } from 'node:os';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { CDPSession, Page } from 'playwright-core';
import { createLogReader } from '../../adapters/dynamodb/log-reader.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { writeProof } from '../../bench/write-proof.ts';
import { launchChromium } from '../e2e/support/chromium.ts';
import { signIn, startConsole } from '../e2e/support/console.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ORGANIZATION_ID, SHARDS } from './audit/entries.ts';
import { type LargeLog, startLargeLog, writeOutputs } from './audit/large-log.ts';

const PROVEN_ENTRIES = 200_000;
const ENTRIES = Number(process.env['CONSOLE_ENTRIES'] ?? PROVEN_ENTRIES);
const DAY_MS = 86_400_000;
/** Of the explorer. */
const PAGE = 200;
const ROUNDS = 7;
/** What is held at most: by the page beside its DOM, and by the whole process of the server. */
const MOST = { slowerMs: 1_000, cpuMsPerFrame: 8, longFrameShare: 0.05, pageMiB: 128, serverMiB: 512 };

function median(values: readonly number[]): number {
  return round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The first page as the reader of the log itself returns it. */
async function readFirstPage({ endpoint, tables }: LargeLog): Promise<number> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  const documents = DynamoDBDocumentClient.from(client);
  const reader = createLogReader(documents, tables.logs, { clock: systemClock, shards: SHARDS });
  const took: number[] = [];
  for (let at = 0; at < ROUNDS; at += 1) {
    const beganMs = performance.now();
    const toMs = Date.now();
    let read = 0;
    for await (const _entry of reader.list({
      organizationId: ORGANIZATION_ID,
      fromMs: toMs - DAY_MS,
      toMs,
    })) {
      read += 1;
      if (read === PAGE) break;
    }
    took.push(performance.now() - beganMs);
  }
  client.destroy();
  return median(took);
}

/** From the click on the link to the first row. */
async function openExplorer(page: Page): Promise<number> {
  const took: number[] = [];
  for (let at = 0; at < ROUNDS; at += 1) {
    await page.getByRole('navigation').getByRole('link', { name: 'Health' }).click();
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
    took.push(
      (await page.evaluate(`new Promise((resolve) => {
        const beganMs = performance.now();
        const look = () => document.querySelector('.long-rows .long-row')
          ? resolve(performance.now() - beganMs) : requestAnimationFrame(look);
        document.querySelector('nav a[href$="/logs"]').click();
        look();
      })`)) as number,
    );
  }
  return median(took);
}

interface Scrolling {
  readonly rows: number;
  readonly frames: number;
  /** Of the page's main thread, whatever else the machine does; a frame has 16.7 ms. */
  readonly cpuMsPerFrame: number;
  readonly medianFrameMs: number;
  readonly p99FrameMs: number;
  readonly longestFrameMs: number;
  /** Of frames that took longer than 50 ms, which is where people see that something stops. */
  readonly longFrameShare: number;
  readonly seconds: number;
}

/** Scrolls to the end of what the page holds at once, as fast as pages arrive: ten rows a frame. */
async function scrollThrough(page: Page): Promise<Scrolling> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const beganSeconds = await metricOf(session, 'TaskDuration');
  const { gaps, rows, tookMs } = (await page.evaluate(`new Promise((resolve) => {
    const body = document.querySelector('.long-body');
    const gaps = [];
    const beganMs = performance.now();
    let lastMs = beganMs;
    const step = (nowMs) => {
      gaps.push(nowMs - lastMs);
      lastMs = nowMs;
      body.scrollTop += 400;
      const foot = document.querySelector('.long-foot')?.textContent ?? '';
      const isEnd = /Continue|End of the list/.test(foot) && body.scrollTop + body.clientHeight >= body.scrollHeight - 2;
      const rows = Number(document.querySelector('.long-table').getAttribute('aria-rowcount')) - 1;
      if (isEnd) resolve({ gaps, rows, tookMs: nowMs - beganMs });
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`)) as { gaps: number[]; rows: number; tookMs: number };
  const cpuMs = ((await metricOf(session, 'TaskDuration')) - beganSeconds) * 1_000;
  const sorted = gaps.toSorted((a, b) => a - b);
  return {
    ...{ rows, frames: gaps.length, cpuMsPerFrame: round(cpuMs / gaps.length) },
    medianFrameMs: median(gaps),
    p99FrameMs: round(sorted[Math.floor(sorted.length * 0.99)] ?? 0),
    longestFrameMs: round(sorted.at(-1) ?? 0),
    longFrameShare: Math.round((gaps.filter((gap) => gap > 50).length / gaps.length) * 10_000) / 10_000,
    seconds: round(tookMs / 1_000),
  };
}

/** What the page holds after a collection of garbage. */
async function measurePage(page: Page): Promise<{ readonly heapMiB: number; readonly nodes: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const heapBytes = await metricOf(session, 'JSHeapUsedSize');
  return { heapMiB: round(heapBytes / 1024 ** 2), nodes: await metricOf(session, 'Nodes') };
}

async function metricOf(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((one) => one.name === name)?.value ?? Number.NaN;
}

/** The most that the process has held so far, as Linux counts. */
function peakMiB(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

/** From the request for the page to the first chart, and to the last entry that charts are drawn from. */
async function openOverview(page: Page, origin: string) {
  await page.goto(`${origin}/o/acme/overview`);
  const chartMs = (await page.evaluate(`new Promise((resolve) => {
    const look = () => document.querySelector('.plot canvas') ? resolve(performance.now()) : requestAnimationFrame(look);
    look();
  })`)) as number;
  await page.getByText('Reading older calls').waitFor({ state: 'hidden', timeout: 300_000 });
  const wholeMs = (await page.evaluate('performance.now()')) as number;
  return { firstChartMs: Math.round(chartMs), completeSeconds: round(wholeMs / 1_000) };
}

/** What decides how long a page takes. */
const SOURCES = [
  'console/pages/logs/use-entries.ts',
  'console/parts/table.tsx',
  'cli/console/calls.ts',
  'cli/console/series.ts',
];

const folder = temporaryFolder();
const log = await startLargeLog(folder, ENTRIES);
process.stdout.write(`a log of ${ENTRIES} entries\n`);
writeOutputs(folder, log.endpoint, log.tables);
const running = await startConsole({ dataFolder: folder });
const browser = await launchChromium();
try {
  const { page } = await signIn(browser, running);
  const { origin } = new URL(running.address);
  const before = { page: await measurePage(page), serverMiB: peakMiB(running.pid) };
  const storeMs = await readFirstPage(log);
  const explorerMs = await openExplorer(page);
  const scrolling = await scrollThrough(page);
  const scrolled = { page: await measurePage(page), serverMiB: peakMiB(running.pid) };
  const overview = await openOverview(page, origin);
  const after = { page: await measurePage(page), serverMiB: peakMiB(running.pid) };
  const measured = {
    ...{ firstPage: { storeMs, explorerMs }, scrolling, overview },
    memory: { before, scrolled, overview: after },
  };
  process.stdout.write(`${JSON.stringify(measured, null, 2)}\n`);
  const isProven =
    explorerMs - storeMs < MOST.slowerMs &&
    scrolling.cpuMsPerFrame < MOST.cpuMsPerFrame &&
    scrolling.longFrameShare < MOST.longFrameShare &&
    [scrolled, after].every(
      ({ page: held, serverMiB }) => held.heapMiB < MOST.pageMiB && serverMiB < MOST.serverMiB,
    );
  if (isProven && ENTRIES === PROVEN_ENTRIES) {
    const circumstances = {
      loadAverage: Number(loadavg()[0]?.toFixed(1)),
      niceness: getPriority(),
      entries: ENTRIES,
    };
    await writeProof('console-200000', { ...circumstances, ...measured }, SOURCES);
  }
  process.exitCode = isProven ? 0 : 1;
} finally {
  await browser.close();
  await running.stop();
  await log.stop();
}
