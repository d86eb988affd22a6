// The bucket of a subject, as the service makes it: which side of a rollout a user is on can be known without a call.

/**
 * 0 to 9,999: a subject is on the side of the candidate while its bucket is below the share in hundredths of a percent. `salt`: the id of a
 * rollout, or `ORGANIZATION/NEURON#NAME` of a split by `stickyBy`.
 */
export async function bucketOf(
  salt: string,
  kind: 'user' | 'key' | 'address' | 'request',
  subject: string,
): Promise<number> {
  const parts = [salt, kind, subject].map((part) => JSON.stringify(part));
  const text = `3:${parts.map((part) => `${part.length}:${part}`).join('')}`;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Number(new DataView(digest).getBigUint64(0) % 10_000n);
}
