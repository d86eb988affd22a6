// How deep bodies may be nested, on every surface.
import { ServiceError } from '../contract/service-error.ts';
import { isDeeperText, MAX_BODY_DEPTH } from '../text/depth.ts';
import { parseBody } from './parse.ts';

/**
 * To be asked before a body is read: labels, and members that are repeated or left out, have no bound of their own, and are written
 * as texts. Throws `invalid_input`, and as `parseBody` does.
 */
export function checkDepth(body: string | undefined): void {
  if (body === undefined || !isDeeperText(body, MAX_BODY_DEPTH)) return;
  parseBody(body);
  throw new ServiceError('invalid_input', {
    detail: `The body is nested more than ${MAX_BODY_DEPTH} levels deep. Send it with fewer lists and objects within each other.`,
  });
}
