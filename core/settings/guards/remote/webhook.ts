// A guard at an address of the organization's own, which gets texts that are signed and answers with a verdict.
import * as z from 'zod/mini';
import { members } from '../../members.ts';
import { money, secretReference, url } from '../../scalars.ts';
import { serviceTimeout } from './timeout.ts';

export const webhook = members({
  type: z.literal('webhook'),
  endpoint: url,
  /** Signs each request. */
  secret: secretReference,
  timeout: serviceTimeout,
  prices: z.optional(members({ call: money })),
});

export type WebhookGuard = z.output<typeof webhook>;
