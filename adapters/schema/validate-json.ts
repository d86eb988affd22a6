// The port that validates answers, loaded with its validator by the first call that has a schema.
import type { ValidateJson } from '../../core/ports/platform.ts';
import { lazy } from '../../core/time/lazy.ts';

const load = lazy(() => import('./find-mismatch.ts'));

export const validateJson: ValidateJson = async (schema, value) => (await load()).findMismatch(schema, value);
