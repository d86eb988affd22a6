// All checks of a deployment, and how one is tried.
import { ANSWER_CHECKS } from './answer-checks.ts';
import { BEHIND_CHECKS } from './behind-checks.ts';
import type { Check, Deployment, Outcome } from './check.ts';
import { MONEY_CHECKS } from './money-checks.ts';
import { STACK_CHECKS } from './stack-checks.ts';

/** In the order in which they run. */
export const CHECKS: readonly Check[] = [
  ...ANSWER_CHECKS,
  ...BEHIND_CHECKS,
  ...MONEY_CHECKS,
  ...STACK_CHECKS,
];

/** Never rejects: what goes wrong is an outcome. */
export function tryCheck(check: Check, deployment: Deployment): Promise<Outcome> {
  return check
    .run(deployment)
    .catch((error: unknown) => ({ failed: error instanceof Error ? error.message : String(error) }));
}
