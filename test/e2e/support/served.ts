// Calls in bursts that are larger than the environments of the authorizer take a second.
import { setTimeout } from 'node:timers/promises';
import type { Answer } from './call.ts';
import { COMPUTE } from './stack.ts';

/** Longer than the work after an answer takes. */
const SETTLED_MS = 400;

/**
 * An answer whose call is over: its reservations are settled, and what it stored is there. A process with one call at a time takes the next
 * one only then; one with many does not wait.
 */
export async function settled(answer: Promise<Answer>): Promise<Answer> {
  const whole = await answer;
  if (COMPUTE === 'shared') await setTimeout(SETTLED_MS);
  return whole;
}

/** Calls again as long as there is no room only because other calls, which may not need it, hold it. */
export async function untilReleased(call: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const answer = await call();
    if (answer.status !== 429 || answer.headers['retry-after'] !== '1') return answer;
    await setTimeout(1_000);
  }
  throw new Error('60 calls one after the other found the room held');
}

/**
 * Calls until the answer is another than 503. A call that finds no environment of the authorizer is answered so before anything counts it;
 * a test of limits has to be told what its calls come to.
 */
export async function untilServed<T>(call: () => Promise<T>, statusOf: (answer: T) => unknown): Promise<T> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const answer = await call();
    if (statusOf(answer) !== 503) return answer;
    await setTimeout(250 + 500 * Math.random());
  }
  throw new Error('20 calls one after the other were answered 503');
}
