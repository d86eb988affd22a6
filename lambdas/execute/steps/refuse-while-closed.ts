// Refuses while the service is in maintenance or the organization is paused.
import { refuseWhileClosed as decide } from '../../../core/settings/closed.ts';
import { required } from '../run.ts';
import { runOf, type Step } from './record.ts';

/** 503 `maintenance`, then 429 `organization_paused`. */
export function refuseWhileClosed(): Step {
  return {
    before(request) {
      decide(required(runOf(request.event).settings, 'settings'));
    },
  };
}
