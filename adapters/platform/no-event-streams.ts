// Replaces the SDK's event streams in the bundles: no operation of the functions has one.

const NONE = 'event streams are not part of this bundle';

/** Name as in `@smithy/core/event-streams`, where the SDK's protocols import it from. */
// A class, because the SDK makes one with `new`.
export class EventStreamSerde {
  constructor() {
    throw new Error(NONE);
  }
}

/** Name as in `@smithy/core/event-streams`. Throws. */
export function eventStreamSerdeProvider(): never {
  throw new Error(NONE);
}
