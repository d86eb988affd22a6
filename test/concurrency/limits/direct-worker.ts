// A process of the proof: an execution environment in miniature, controlled by messages. Its clock is off by what it was started with.
import { systemClock } from '../../../adapters/platform/clock.ts';
import type { Outcome, Scenario } from './scenario.ts';

/** The messages to a process. */
export interface Work {
  readonly scenario: Scenario;
  readonly index: number;
  readonly slug: string;
  readonly numbers: readonly number[];
  readonly callers: number;
  readonly atMs: number;
  readonly providerUrl: string;
  readonly dynamodbUrl: string;
  readonly table: string;
}

/** What it says: that it is ready, or what came of its work. */
export type Said = 'ready' | readonly Outcome[];

const [skew = '0'] = process.argv.slice(2);
const clock = { ...systemClock, now: () => systemClock.now() + Number(skew) };

// As the local run does before it loads a bundle: the provider of the proof is on loopback.
Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
const { createPorts } = await import('./direct-ports.ts');
const { drive } = await import('./drive.ts');
const { createSender } = await import('./execute.ts');

process.on('message', (work: Work) => {
  const ports = createPorts(work, clock);
  const sender = createSender(work.scenario, work.slug, work.providerUrl, work.atMs, ports);
  void drive(work, work.callers, sender).then((outcomes) => process.send?.(outcomes satisfies Said));
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready' satisfies Said);
