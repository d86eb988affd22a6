// `npm run prove:limits`: hundreds of callers on several processes, counted by the provider that they reach. Exits 1 when a limit let more
// through than it says, when one stayed below without a reason, and when fewer than eight processes took part.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { writeProof } from '../../bench/write-proof.ts';
import { startDynamoDb } from '../support/dynamodb.ts';
import { startDirectRun } from './limits/direct.ts';
import { runKilled } from './limits/killed.ts';
import { type LossyProxy, startLossyProxy } from './limits/lossy-proxy.ts';
import { type CountingProvider, startCountingProvider } from './limits/provider.ts';
import { findFaults, renderReports, type ScenarioReport, toProof, toReport } from './limits/report.ts';
import { makeId, type Outcome, type Scenario } from './limits/scenario.ts';
import { SCENARIOS } from './limits/scenarios.ts';
import { startStackRun } from './limits/stack.ts';
import { evaluateScenario } from './limits/verdict.ts';

const { values } = parseArgs({
  options: {
    /** Scenarios whose names hold this text. */
    only: { type: 'string', default: '' },
    /** `direct` or `stack` alone; then nothing is written down. */
    where: { type: 'string', default: 'both' },
  },
});

interface Runner {
  run(scenario: Scenario, index: number): Promise<readonly Outcome[]>;
}

/** Of each limit of total requests, in the stack that has more than one. */
const STACK_SHARDS = 4;
/** Within this an attempt that was on its way has reached the provider. */
const LATE_MS = 2_000;

const chosen = [...SCENARIOS.entries()].filter(([, { name }]) => name.includes(values.only));

/** Runs the chosen scenarios one after the other, and evaluates them at the end: attempts may come late. */
async function runAll(
  where: string,
  scenarios: typeof chosen,
  runner: Runner,
  proxy: LossyProxy,
  provider: CountingProvider,
): Promise<readonly ScenarioReport[]> {
  const ran = [];
  for (const [index, scenario] of scenarios) {
    proxy.begin(scenario.loses);
    const startedMs = Date.now();
    const outcomes = await runner.run(scenario, index);
    const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
    process.stderr.write(`${where}: ${scenario.name}, ${outcomes.length} requests in ${seconds} s\n`);
    const losses = { ...proxy.losses };
    ran.push({ scenario, index, outcomes, losses, writes: proxy.writes(), writers: proxy.writers() });
  }
  await sleep(LATE_MS);
  const attempts = provider.takeAttempts();
  return ran.map(({ scenario, index, ...input }) => {
    const own = attempts.filter(({ id }) => id.startsWith(makeId(index, 0, 0).slice(0, 3)));
    const rules = evaluateScenario({ scenario, attempts: own, ...input });
    return toReport(where, scenario, { ...input, rules });
  });
}

async function proveDirect(provider: CountingProvider): Promise<readonly ScenarioReport[]> {
  const database = await startDynamoDb();
  const proxy = await startLossyProxy(() => database.endpoint);
  const run = await startDirectRun(database, proxy, provider);
  try {
    const reports = await runAll('core/limits and DynamoDB', chosen, run, proxy, provider);
    return 'kills'.includes(values.only) ? [...reports, await runKilled(database, proxy)] : reports;
  } finally {
    await run.stop();
    await proxy.stop();
    await database.stop();
  }
}

/** Scenarios with shards need functions that are told of them, and so a stack of their own. */
async function proveStack(provider: CountingProvider): Promise<readonly ScenarioReport[]> {
  const reports: ScenarioReport[] = [];
  for (const shards of [undefined, STACK_SHARDS]) {
    const own = chosen.filter(
      ([, scenario]) =>
        scenario.edgeMs === undefined && (scenario.shards === undefined) === (shards === undefined),
    );
    if (own.length === 0) continue;
    let databaseUrl = '';
    const proxy = await startLossyProxy(() => databaseUrl);
    const onDatabase = (url: string) => {
      databaseUrl = url;
    };
    const run = await startStackRun({ proxy, onDatabase, providerUrl: provider.baseUrl, shards });
    try {
      reports.push(...(await runAll('whole stack', own, run, proxy, provider)));
    } finally {
      await run.stop();
      await proxy.stop();
    }
  }
  return reports;
}

const provider = await startCountingProvider();
const direct = values.where === 'stack' ? [] : await proveDirect(provider);
const stack = values.where === 'direct' ? [] : await proveStack(provider);
const reports = [...direct, ...stack];
await provider.stop();

for (const where of new Set(reports.map((report) => report.where))) {
  process.stdout.write(`\n${where}\n${renderReports(reports.filter((report) => report.where === where))}\n`);
}
const faults = findFaults(reports);
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
else if (values.where === 'both' && values.only === '')
  await writeProof('limits', toProof(reports), ['core/limits']);
