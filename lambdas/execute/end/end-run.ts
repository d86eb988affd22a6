// The one end of every request, whole, streamed, replayed, rejected or timed out: the work before its answer, and the work after. Each duty
// is done once, for `endRun` ends a request once and `finish` begins once, and whatever becomes of the one before it (`doInTurn`): a defect
// has a line of its own. In their order, with what is left where one is lost:
//
//   close the budget     amounts that are not settled yet; nothing is reserved for the run afterwards (steps/limits.ts)
//   write the line       steps/line.ts     entry and amounts. A run without its line is answered with an error; the open line stands for it
//   end the lease        idempotency/      the answer is kept for its key, or the key freed, in at most 1.5 s; lost, with an incident's
//                                          line, the key is free when the lease ends
//   release followers    the answer for requests alike that wait in this environment; lost, they run themselves
//   ... the answer, or the last event of a stream, may leave ...
//   end the deadline     its timer
//   send settlements     finish.ts         only a throttled one is sent again: one that is lost stays held until its window ends
//   put the entries      finish.ts         once, by a condition on their keys; lost, `neuron logs restore` puts them by the line
//   write the cache      finish.ts         lost, the next request alike runs
//   note the key's use   finish.ts         lost, the next use notes it
//   repeat in a shadow   shadow/           a run of its own, with an entry of its own; lost, there is none
import { attempt, doInTurn } from '../../../core/async/duties.ts';
import { once } from '../../../core/async/once.ts';
import { reportDefect } from '../../../core/logs/incident-line.ts';
import { endLease } from '../idempotency/index.ts';
import type { EndedRun, ExecutionPorts, Outcome, Run } from '../run.ts';
import { recordLine } from '../steps/line.ts';
import { releaseFollowers } from '../steps/shared-answer.ts';
import { cacheAnswer, putEntriesOf, recordUse, sendSettlements } from './finish.ts';
import { hidesNeuron, levelTime } from './level-time.ts';
import { renderError } from './render-error.ts';
import { repeatInShadow } from './shadow/index.ts';

/** Ends a request once: a second call, such as that of a run that comes late, gives what the first one came to. Never rejects. */
export function endRun(run: Run, outcome: Outcome, ports: ExecutionPorts): Promise<EndedRun> {
  // A copy: steps that go on after an early timeout change the record for nobody.
  run.ended ??= end({ ...run }, outcome, ports);
  return run.ended;
}

async function end(run: Readonly<Run>, reached: Outcome, ports: ExecutionPorts): Promise<EndedRun> {
  const onDefect = (duty: string, thrown: unknown) =>
    reportDefect(duty, thrown, run.request.executionId, ports);
  const closed = attempt(
    () => run.budget?.close(),
    (thrown) => onDefect('close the budget', thrown),
  );
  const settlements = closed ?? [];
  const { outcome, entries } = recordLine(run, reached, settlements, ports);
  const error = outcome.kind === 'error' ? outcome.error : undefined;
  const answer = outcome.kind === 'error' ? () => renderError(outcome.error, run) : outcome.answer;
  const stored = (outcome.kind === 'run' && outcome.stored) || answer;
  const before = {
    'end the lease': () => endLease(run, { answer: stored, error }, ports),
    'release followers': () => releaseFollowers(run, ports),
  };
  const after = {
    'end the deadline': () => run.deadline?.end(),
    'send settlements': () => sendSettlements(settlements, ports),
    'put the entries': () => putEntriesOf(run, entries, ports),
    'write the cache': () => cacheAnswer(run, ports),
    "note the key's use": () => recordUse(run, ports),
    'repeat in a shadow': () => repeatInShadow(run, outcome, ports),
  };
  await doInTurn(before, onDefect);
  const ended: EndedRun = {
    answer,
    error,
    finish: once(() => doInTurn(after, onDefect)),
  };
  return hidesNeuron(run, error) ? levelTime(ended, run, ports) : ended;
}
