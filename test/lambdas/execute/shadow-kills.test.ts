// The function is ended at each step of a copy, before and after it was made: what was reserved is booked once, and nothing is there twice.
import { expect, it } from 'vitest';
import { parseLine, parseOpenLine } from '../../../core/logs/line.ts';
import type { ExecutionPorts } from '../../../lambdas/execute/compose.ts';
import { openService, SHADOW } from './shadow-service.ts';

/** Frozen for good, as an environment that is taken away. */
const NEVER = new Promise<never>(() => undefined);

interface Kill {
  readonly at: number;
  readonly isMade: boolean;
}

/** Ports whose effects of copies are counted, and end at one of them. */
function killedAt(kill: Kill | undefined) {
  const steps: string[] = [];
  const frozen = Promise.withResolvers<void>();
  const freeze = () => {
    frozen.resolve();
    return NEVER;
  };
  const effect = (name: string, make: () => unknown): unknown => {
    steps.push(name);
    const isHere = kill?.at === steps.length;
    if (kill !== undefined && steps.length > kill.at) return freeze();
    if (isHere && !kill.isMade) return freeze();
    const made = make();
    return isHere ? Promise.resolve(made).then(freeze) : made;
  };
  const isOfCopy = (args: readonly unknown[]) => /SHADOW#|#shadow/.test(JSON.stringify(args));
  const wrap = <T extends object>(name: string, port: T): T =>
    new Proxy(port, {
      get: (target, member) => {
        const own = Reflect.get(target, member);
        if (typeof own !== 'function') return own;
        return (...args: readonly unknown[]) =>
          isOfCopy(args)
            ? effect(`${name}.${String(member)}`, () => own.apply(target, args))
            : own.apply(target, args);
      },
    });
  const replace = ({ counters, logs, lines }: ExecutionPorts): Partial<ExecutionPorts> => ({
    counters: wrap('counters', counters),
    logs: wrap('logs', logs),
    // A line is written at once: the process ends before it, or after it.
    lines,
  });
  return { steps, replace, frozen: frozen.promise };
}

async function run(kill?: Kill) {
  const { steps, replace, frozen } = killedAt(kill);
  const service = openService({ replace });
  const { status, served } = await service.begin('Hello');
  await Promise.race([served.finish(), frozen]);
  return { ...service, status, steps };
}

it('keeps one booking and one marked entry wherever a copy is ended', async () => {
  const whole = await run();
  const paid = await whole.spent();
  expect(whole.steps.length).toBeGreaterThanOrEqual(3);
  expect(whole.copies()).toMatchObject([{ executionId: 'e1#shadow', shadow: { id: SHADOW.id, of: 'e1' } }]);
  for (let at = 1; at <= whole.steps.length; at += 1)
    for (const isMade of [false, true]) {
      const where = `${whole.steps[at - 1]} ${isMade ? 'made' : 'not made'}`;
      const ended = await run({ at, isMade });
      expect(ended.status, where).toBe(200);
      const copies = ended.copies();
      expect(
        ended.stored.filter(({ executionId }) => executionId === 'e1'),
        where,
      ).toHaveLength(1);
      expect(copies.length, where).toBeLessThanOrEqual(1);
      for (const { shadow } of copies) expect(shadow, where).toEqual({ id: SHADOW.id, of: 'e1' });
      const { taken, held } = await ended.spent();
      // Nothing before the reservation, all of it until it is booked, and then what it cost.
      const isReserved = whole.steps[0]?.startsWith('counters') && (at > 1 || isMade);
      expect(taken > 0, where).toBe(isReserved);
      if (held === 0) expect(taken, where).toBe(isReserved ? paid.taken : 0);
      else expect(held, where).toBe(taken);
      expect(taken, where).toBeLessThanOrEqual(SHADOW.budgetMicrodollars);
      const lines = ended.lines.filter((line) => line.includes('e1#shadow'));
      expect(lines.flatMap((line) => parseLine(line) ?? []).length, where).toBeLessThanOrEqual(1);
      expect(lines.flatMap((line) => parseOpenLine(line) ?? []).length, where).toBeLessThanOrEqual(1);
    }
});
