// How long a guard of a service may take.
import * as z from 'zod/mini';
import { duration } from '../../scalars.ts';

/** For all its calls for one stage together. */
export const serviceTimeout = z._default(duration('1s', '30s'), 2_000);
