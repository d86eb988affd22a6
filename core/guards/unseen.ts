// Content that no guard can look at.
import type { ActiveGuard } from './active-guards.ts';
import type { Place } from './find-counts.ts';
import { findUnseen } from './inspect-conversation.ts';
import type { RequestTexts } from './inspect-request.ts';

/** Where a request has content that a guard cannot see and does not let through. */
export function findRejected(
  guards: readonly ActiveGuard[],
  { conversation, embedding }: RequestTexts,
): Place | undefined {
  const strict = guards.filter(({ rejectsUnseen }) => rejectsUnseen);
  const tokens = embedding?.inputs.findIndex((input) => typeof input !== 'string') ?? -1;
  const unseen: Place[] = [...findUnseen(conversation)];
  if (tokens !== -1) unseen.push({ stage: 'input', message: tokens });
  return unseen.find(({ stage }) => strict.some(({ stages }) => stages.has(stage)));
}
