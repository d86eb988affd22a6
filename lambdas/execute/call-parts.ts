// The parts of a call that its steps find.
import type { Lease, RecordKey } from '../../core/ports/idempotency.ts';
import type { Flow } from '../../core/settings/flow-schema.ts';

/** A version of a neuron, its flow parsed. */
export interface FoundVersion {
  readonly id: string;
  readonly flow: Flow;
  /** The name that was filled in for `{{model}}`; absent where the flow passes none on. */
  readonly model?: string;
}

/** A lease of this request on the record of its idempotency key. */
export interface HeldLease extends Lease {
  readonly kind: 'held';
  readonly key: RecordKey;
}
