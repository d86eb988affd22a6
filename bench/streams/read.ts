// Reads one stream as its caller does, and times each piece that holds the time of its sending.
import { type IncomingMessage, request } from 'node:http';
import type { Target } from '../gateways/load.ts';

/** A stream that is being read. */
export interface Reading {
  /** Milliseconds from the call to the first piece. */
  readonly first: Promise<number>;
  /** Milliseconds between sending and arrival of each piece so far; the caller may empty it. */
  readonly delays: number[];
  /** The longest time between two pieces, in milliseconds. */
  longestGapMs(): number;
  /** Resolves with the bytes of the body. Rejects for a body that was cut. */
  readonly ended: Promise<number>;
  /** Closes the connection. */
  leave(): void;
}

const PIECE = /"(?:text|content)":"(\d+\.\d{3}) "/g;
/** Longer than any piece with its JSON. */
const MAX_PIECE_LENGTH = 400;

const now = () => performance.timeOrigin + performance.now();

/** With `isUnread`, the body is never read. */
export function readStream({ url, headers, body }: Target, isUnread = false): Reading {
  const beganMs = now();
  const first = Promise.withResolvers<number>();
  const ended = Promise.withResolvers<number>();
  const delays: number[] = [];
  let answer: IncomingMessage | undefined;
  let [rest, bytes, lastMs, longestGapMs] = ['', 0, 0, 0];
  const take = (chunk: Buffer) => {
    const atMs = now();
    bytes += chunk.length;
    rest += chunk.toString('latin1');
    let end = 0;
    for (const found of rest.matchAll(PIECE)) {
      end = found.index + found[0].length;
      delays.push(atMs - Number(found[1]));
      if (lastMs === 0) first.resolve(atMs - beganMs);
      else longestGapMs = Math.max(longestGapMs, atMs - lastMs);
      lastMs = atMs;
    }
    rest = rest.slice(Math.max(end, rest.length - MAX_PIECE_LENGTH));
  };
  const outgoing = request(url, { method: 'POST', agent: false, headers }, (response) => {
    answer = response;
    if (response.statusCode !== 200) {
      response.once('data', (text) =>
        ended.reject(new Error(`${url} answered ${response.statusCode}: ${text}`)),
      );
      return;
    }
    response.once('error', ended.reject);
    response.once('end', () => ended.resolve(bytes));
    if (isUnread) first.resolve(now() - beganMs);
    else response.on('data', take);
  });
  outgoing.once('error', ended.reject);
  outgoing.end(body);
  ended.promise.catch(first.reject);
  first.promise.catch(() => undefined);
  return {
    first: first.promise,
    ended: ended.promise,
    delays,
    longestGapMs: () => longestGapMs,
    leave: () => void answer?.destroy(),
  };
}
