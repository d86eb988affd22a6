// The decision of access control, and the trace of its checks.
import type { Authentication } from '../contract/log-entry.ts';
import type { KeyGrants, StoredKey } from '../ports/keys.ts';

/** The result of one check. `reason` is for the operator: constant text, key ids, parsed hosts and addresses, never a token. */
export interface CheckResult {
  readonly passes: boolean;
  readonly reason: string;
}

/** The checks, in order. */
type AccessCheck = 'settings' | 'public' | 'referers' | 'ips' | 'credentials' | 'enabled';

/** One check of a decision, for `neuron explain`. `off`: the settings do not enable it. */
export interface AccessStep {
  readonly check: AccessCheck;
  readonly verdict: 'off' | 'passes' | 'allows' | 'refuses' | 'fails';
  readonly reason: string;
  /** The parts of a check that passed: constant text, and URLs of the settings. */
  readonly details?: readonly string[];
}

/** Codes with which access control denies calls of a neuron that exists. */
export type AccessDenialCode = 'referer_not_allowed' | 'ip_not_allowed' | 'access_closed' | 'unauthorized';

/** How a decision ends. Callers see the code alone; reasons are for the log and the operator. */
export type Ending =
  | {
      readonly outcome: 'allow';
      readonly authentication: Authentication;
      readonly organizationId: string;
      readonly neuronId: string;
      readonly keyId: string | undefined;
      /** Limits of the key alone; undefined where it has none. */
      readonly keyLimits: StoredKey['usageLimits'];
      /** Undefined for a caller without a key. */
      readonly keyGrants: KeyGrants | undefined;
      readonly username: string | undefined;
      /** Ids of the conditions that the claims of a verified token fulfil. */
      readonly conditions: readonly string[] | undefined;
      readonly reason: string;
    }
  | {
      readonly outcome: 'refused';
      readonly code: AccessDenialCode;
      /** The invalid key of this organization (revoked, expired, another neuron's) that the caller sent. */
      readonly keyId: string | undefined;
      readonly reason: string;
    }
  /** Unknown, or settings that cannot be used: 404. */
  | { readonly outcome: 'not_found'; readonly reason: string }
  /** A secret that the settings name is not set or cannot be used: 500. */
  | { readonly outcome: 'configuration'; readonly reason: string }
  /** A store failed: 503, never 401. */
  | { readonly outcome: 'unavailable'; readonly reason: string; readonly cause: unknown };

/** A decision, with its checks in order. */
export type Decision = Ending & { readonly steps: readonly AccessStep[] };

/** Collects the checks of one decision. `end` is the only way to make one. */
interface DecisionTrace {
  off(check: AccessCheck): void;
  pass(check: AccessCheck, reason: string, details?: readonly string[]): void;
  end(check: AccessCheck, ending: Ending, details?: readonly string[]): Decision;
}

const LAST_VERDICT = {
  allow: 'allows',
  refused: 'refuses',
  not_found: 'refuses',
  configuration: 'fails',
  unavailable: 'fails',
} as const satisfies Record<Ending['outcome'], AccessStep['verdict']>;

/** An empty trace. */
export function openDecisionTrace(): DecisionTrace {
  const steps: AccessStep[] = [];
  return {
    off: (check) => void steps.push({ check, verdict: 'off', reason: 'not asked for by the settings' }),
    pass: (check, reason, details) =>
      void steps.push({ check, verdict: 'passes', reason, ...detailsOf(details) }),
    end: (check, ending, details) => {
      const verdict = LAST_VERDICT[ending.outcome];
      steps.push({ check, verdict, reason: ending.reason, ...detailsOf(details) });
      return { ...ending, steps };
    },
  };
}

function detailsOf(details: readonly string[] = []): Pick<AccessStep, 'details'> {
  return details.length === 0 ? {} : { details };
}
