// Sends signed JSON to Bedrock and reads a verdict's JSON.

import { toRuntimeUrl } from '../../providers/bedrock/request.ts';
import { signRequest } from '../../providers/bedrock/send.ts';
import type { GuardPorts } from '../ports.ts';
import { postForVerdict } from '../post-json.ts';

interface SignedCall {
  readonly region: string;
  /** Begins with a slash, encoded. */
  readonly path: string;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/** Signed with the role of the function. Throws as `postForVerdict` does. */
export async function postSigned(
  { http, clock }: Pick<GuardPorts, 'http' | 'clock'>,
  { region, path, body, signal }: SignedCall,
): Promise<unknown> {
  const url = toRuntimeUrl(region, path, process.env);
  const text = JSON.stringify(body);
  const { headers } = await signRequest({ region, url, accept: 'application/json', text }, clock);
  return postForVerdict(http, { url, headers, text, signal });
}
