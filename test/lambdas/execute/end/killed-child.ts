// Serves one call in a process of its own, and is killed at a step: by a signal, or because it runs out of heap.
import { standardOutput } from '../../../../adapters/platform/standard-output.ts';
import { finish, openFunction } from '../served.ts';

const [step = '', how = '', form = ''] = process.argv.slice(2);

const KILLS: Readonly<Record<string, () => unknown>> = {
  signal: () => process.kill(process.pid, 'SIGKILL'),
  /** As a caller's input would that makes the service hold more and more. */
  heap() {
    const held: number[][] = [];
    for (;;) held.push(new Array<number>(10_000).fill(held.length));
  },
};

const kill = KILLS[how] ?? (() => undefined);
const { begin, tell } = openFunction(
  { [step]: kill },
  {
    callModel: form === 'schema' ? { outputSchema: { type: 'object' } } : {},
    text: '{}',
    print: (line) => standardOutput.write(line),
  },
);
tell();
await finish(await begin({ stream: form === 'stream', idempotencyKey: 'order-17' }).served);
