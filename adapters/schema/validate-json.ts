// The port that validates answers. Its validator is loaded by the first call that has a schema.
import { lazy } from '../../core/async/lazy.ts';
import type { ValidateJson } from '../../core/ports/platform.ts';

const load = lazy(() => import('./find-mismatch.ts'));

export const validateJson: ValidateJson = async (schema, value, checkTime) =>
  (await load()).findMismatch(schema, value, checkTime);
