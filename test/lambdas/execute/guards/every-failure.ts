// How a service fails that judges, whichever it is: what a request gets, and whether settings may let it pass.
import type { FakeAnswer } from '../../../adapters/providers/fake-http.ts';
import type { Chaos } from '../../../adapters/providers/fixture-server.ts';
import type { MemoryClock } from '../../../support/memory/clock.ts';
import { inTime } from './one-service.ts';

/** `fate`: with `onFailure: open`. */
export interface Failure {
  readonly name: string;
  readonly answer: FakeAnswer | Chaos;
  readonly status: 500 | 503;
  readonly notJudged: string;
  readonly fate: 'passes' | 'closed';
}

const mayPass = { status: 503, fate: 'passes' } as const;
const closes = { status: 500, fate: 'closed' } as const;

/** A redirect of the service leads here. */
export const ELSEWHERE = '/elsewhere';
const moved: FakeAnswer = { status: 307, headers: { location: ELSEWHERE }, body: {} };

/** What services say of themselves, and no caller is told. */
export const DOWN = { error: { code: 'ServerError', message: 'down' } };

export const FAILURES: readonly Failure[] = [
  { name: 'nothing in its time', answer: 'stall', notJudged: 'timeout', ...mayPass },
  { name: 'too slowly', answer: 'trickle', notJudged: 'timeout', ...mayPass },
  { name: 'half an answer', answer: 'cut', notJudged: 'connection', ...mayPass },
  { name: 'with a reset', answer: 'reset', notJudged: 'connection', ...mayPass },
  { name: '429', answer: { status: 429, body: DOWN }, notJudged: 'rate_limited', ...mayPass },
  { name: '503', answer: { status: 503, body: DOWN }, notJudged: 'server_error', ...mayPass },
  { name: '400', answer: { status: 400, body: DOWN }, notJudged: 'rejected', ...closes },
  { name: '401', answer: { status: 401, body: DOWN }, notJudged: 'rejected', ...closes },
  { name: '404', answer: { status: 404, body: DOWN }, notJudged: 'rejected', ...closes },
  { name: 'a redirect', answer: moved, notJudged: 'rejected', ...closes },
  {
    name: 'half JSON',
    answer: { status: 200, stream: '{"verdict":"pass","choices":[{"te' },
    notJudged: 'unreadable',
    ...closes,
  },
  { name: 'an error in a 200', answer: { status: 200, body: DOWN }, notJudged: 'unreadable', ...closes },
  { name: 'a 204', answer: { status: 204, stream: '' }, notJudged: 'unreadable', ...closes },
];

/** The code of a request that a closed guard ends. */
export const codeOf = ({ status }: Failure) => (status === 503 ? 'guard_unavailable' : 'configuration');

/** The result of a call behind such a service. Its time passes where it is waited for alone: else a busy machine makes timeouts of all. */
export const throughFailure = <Result>(
  { notJudged }: Failure,
  call: Promise<Result>,
  clock: MemoryClock,
): Promise<Result> => (notJudged === 'timeout' ? inTime(call, clock, 1_000) : call);
