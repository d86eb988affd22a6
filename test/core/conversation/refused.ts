// What the parser says of a request body, for tests of its mistakes.

import { ServiceError } from '../../../core/contract/service-error.ts';
import { parseInvocation } from '../../../core/surfaces/native/parse.ts';

/** Code and text of the refusal, as the caller gets them; a body that is taken fails the test. */
export function rejected(body: object, maxInputBytes = 262_144): string {
  try {
    parseInvocation(
      { body: JSON.stringify(body), bypassCache: [], rawOutput: [], accept: [] },
      maxInputBytes,
    );
  } catch (error) {
    if (error instanceof ServiceError) return `${error.code}: ${error.detail ?? ''}`;
    throw error;
  }
  throw new Error('the body was taken');
}
