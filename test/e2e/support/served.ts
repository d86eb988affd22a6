// Calls in bursts that are larger than the environments of the authorizer take a second.
import { setTimeout } from 'node:timers/promises';

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
