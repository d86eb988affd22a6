// `neuron versions rollout`: the rollout of a version.
import { command } from '../command/command.ts';
import { rolloutAbort, rolloutNext, rolloutPause, rolloutPromote, rolloutResume } from './rollout.ts';
import { rolloutStart } from './rollout-start.ts';
import { rolloutStatus } from './rollout-status.ts';

export const versionsRollout = command({
  name: 'rollout',
  description: 'Sends a share of the callers to another version, and more of them by stages.',
  commands: [
    rolloutStart,
    rolloutStatus,
    rolloutNext,
    rolloutPause,
    rolloutResume,
    rolloutPromote,
    rolloutAbort,
  ],
});
