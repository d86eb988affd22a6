// What alarms and dashboard look at: the parts of a service.
import type { Stage } from '../../config/config.ts';
import type { Authorizer } from '../compute/authorizer.ts';
import type { Executor } from '../compute/executor.ts';
import type { Rollup } from '../compute/rollup.ts';
import type { Tables } from '../data/tables.ts';
import type { NeuronApi } from '../edge/api.ts';

/** The parts, as `NeuronService` has them. */
export interface MonitoredService {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly authorizer: Authorizer;
  readonly executor: Executor;
  readonly rollup: Rollup;
  readonly api: NeuronApi;
}
