// The caller of an explanation, as rollouts and splits tell callers apart.
import type { Decision } from '../../core/access/decision.ts';
import { type BucketCaller, type SubjectKind, subjectOf } from '../../core/text/subject-bucket.ts';
import { nameAtNeuron } from '../session/names-of-user.ts';
import type { Ports } from '../session/ports.ts';

/** Undefined for a caller who is not let in. An address that is not known is empty. */
export async function toExplainedCaller(
  decision: Decision,
  { document, ip = '' }: { readonly document: unknown; readonly ip: string | undefined },
  ports: Pick<Ports, 'secretReader'>,
): Promise<BucketCaller | undefined> {
  if (decision.outcome !== 'allow') return undefined;
  const { keyId, username, organizationId } = decision;
  const name =
    username === undefined ? undefined : await nameAtNeuron(username, organizationId, document, ports);
  return { username: name, keyId, sourceIp: ip, executionId: '' };
}

/** False where each call is a subject of its own, and for an address that is not known. */
export function hasSubject(by: SubjectKind, caller: BucketCaller): boolean {
  return subjectOf(by, caller)[1] !== '';
}
