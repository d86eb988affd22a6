// Which addresses this process may connect to, settled once and before anything else of the bundle runs.
import type { AddressPolicy } from '../../core/settings/address-policy.ts';

/** The local run sets this before it loads a bundle; no variable, setting or header can, and nothing in a bundle does. */
const LOOPBACK_HOOK = Symbol.for('neuron.loopback');

/** Global addresses; loopback besides in the local run. Read at load, so that nothing that runs later changes it. */
export const PROCESS_POLICY: AddressPolicy = Object.freeze({
  allowLoopback: (globalThis as Readonly<Record<symbol, unknown>>)[LOOPBACK_HOOK] === true,
});
