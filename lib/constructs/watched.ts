// What alarms and dashboard look at: the parts of a service.
import type { Stage } from '../config.ts';
import type { NeuronApi } from './api.ts';
import type { Authorizer } from './authorizer.ts';
import type { Executor } from './executor.ts';
import type { Rollup } from './rollup.ts';
import type { Tables } from './tables.ts';

/** The parts, as `NeuronService` has them. */
export interface Watched {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly authorizer: Authorizer;
  readonly executor: Executor;
  readonly rollup: Rollup;
  readonly api: NeuronApi;
}
