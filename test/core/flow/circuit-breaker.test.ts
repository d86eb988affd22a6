// Circuits: when they open, for how long, and how they close.
import { describe, expect, it } from 'vitest';
import { createCircuitBreakers } from '../../../core/flow/circuit-breaker.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';

function start() {
  const clock = createMemoryClock(1_000);
  const registry = createCircuitBreakers(clock);
  const acme = registry.within('acme');
  const fail = (times: number, target = 'p/m') => {
    for (let index = 0; index < times; index += 1) acme.failed(target);
  };
  const failWith = (...inputs: string[]) => {
    for (const input of inputs) acme.failed('p/m', () => input);
  };
  return { clock, registry, acme, fail, failWith };
}

describe('a circuit', () => {
  it('opens for 10 s at the fifth failure in a row', async () => {
    const { acme, clock, fail } = start();
    fail(4);
    expect(acme.retryAfterMs('p/m')).toBe(0);
    fail(1);
    expect(acme.retryAfterMs('p/m')).toBe(10_000);
    await clock.advance(9_999);
    expect(acme.retryAfterMs('p/m')).toBe(1);
  });

  it('resets its count after an answer', () => {
    const { acme, fail } = start();
    fail(4);
    acme.succeeded('p/m');
    fail(4);
    expect(acme.retryAfterMs('p/m')).toBe(0);
  });

  it('lets one caller through to try it, and closes when that one is answered', async () => {
    const { acme, clock, fail } = start();
    fail(5);
    await clock.advance(10_000);
    expect(acme.retryAfterMs('p/m')).toBe(0);
    expect(acme.retryAfterMs('p/m')).toBe(10_000);
    acme.succeeded('p/m');
    expect(acme.retryAfterMs('p/m')).toBe(0);
  });

  it('stays open when the one that tried it fails', async () => {
    const { acme, clock, fail } = start();
    fail(5);
    await clock.advance(10_000);
    expect(acme.retryAfterMs('p/m')).toBe(0);
    await clock.advance(3_000);
    fail(1);
    expect(acme.retryAfterMs('p/m')).toBe(10_000);
  });

  it('opens again in time by a clock that leaps back', async () => {
    const { acme, clock, fail } = start();
    fail(5);
    clock.leap(-3_600_000);
    await clock.advance(10_000);
    expect(acme.retryAfterMs('p/m')).toBe(0);
  });

  it('is that of one model of one neuron, so that no caller of another one opens it', () => {
    const { acme, registry, fail } = start();
    fail(5);
    expect(acme.retryAfterMs('p/other')).toBe(0);
    expect(registry.within('globex').retryAfterMs('p/m')).toBe(0);
  });

  it('does not open by one input that fails again and again', () => {
    const { acme, failWith, fail } = start();
    failWith('a', 'b', 'c', 'd', ...Array<string>(20).fill('d'));
    expect(acme.retryAfterMs('p/m')).toBe(0);
    fail(1);
    expect(acme.retryAfterMs('p/m')).toBe(10_000);
  });

  it('that inputs opened is tried by another input, one at a time, and closed by its answer', () => {
    const { acme, failWith } = start();
    failWith('a', 'b', 'c', 'd', 'e');
    expect(acme.retryAfterMs('p/m', () => 'c')).toBe(10_000);
    expect(acme.retryAfterMs('p/m', () => 'f')).toBe(0);
    expect(acme.retryAfterMs('p/m', () => 'g')).toBe(10_000);
    failWith('f');
    expect(acme.retryAfterMs('p/m', () => 'f')).toBe(10_000);
    expect(acme.retryAfterMs('p/m', () => 'g')).toBe(0);
    acme.succeeded('p/m');
    expect(acme.retryAfterMs('p/m', () => 'a')).toBe(0);
  });

  it('that inputs opened waits 10 s for one that tries it and is never heard of', async () => {
    const { acme, clock, failWith } = start();
    failWith('a', 'b', 'c', 'd', 'e');
    await clock.advance(4_000);
    expect(acme.retryAfterMs('p/m', () => 'f')).toBe(0);
    await clock.advance(5_999);
    expect(acme.retryAfterMs('p/m', () => 'g')).toBe(1);
    await clock.advance(1);
    expect(acme.retryAfterMs('p/m', () => 'a')).toBe(0);
  });

  it('that no input can have opened is tried by nobody before its time', () => {
    const { acme, fail, failWith } = start();
    failWith('a');
    fail(5);
    expect(acme.retryAfterMs('p/m', () => 'b')).toBe(10_000);
  });

  it('remembers the last hundred inputs that failed', () => {
    const { acme, failWith } = start();
    failWith('first', ...Array.from({ length: 99 }, (_, index) => `${index}`));
    expect(acme.retryAfterMs('p/m', () => 'first')).toBe(10_000);
    failWith('last');
    expect(acme.retryAfterMs('p/m', () => 'first')).toBe(0);
  });

  it('is forgotten when a thousand others failed since', () => {
    const { acme, fail } = start();
    fail(5);
    for (let index = 0; index < 1_000; index += 1) acme.failed(`p/m-${index}`);
    expect(acme.retryAfterMs('p/m')).toBe(0);
  });
});
