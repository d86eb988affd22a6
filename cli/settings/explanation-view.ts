// Renders decisions and tokens for `neuron explain`. Of a token only names are shown.
import type { Decision } from '../../core/access/decision.ts';
import {
  codeOf,
  describeToken,
  type Explanation,
  renderExplanation,
  type TokenNames,
} from '../../core/admin/explain/explain.ts';
import { statusOf } from '../../core/contract/error-codes.ts';
import { type ClosedState, renderClosedState } from '../controls/closed-state.ts';
import type { ExplainedDecision } from '../json/checks.ts';
import { printableLine } from '../output/printable.ts';
import type { ProvidedToken } from '../session/token.ts';

/** Undefined without a token, and for one that is no JWT. */
export function listNames(token: ProvidedToken | undefined): TokenNames | undefined {
  return token === undefined ? undefined : describeToken(token.token);
}

/** Names in a token are not trusted, so they are escaped. */
export function renderExplained(
  explanation: Explanation,
  names: TokenNames | undefined,
  closed: ClosedState | undefined,
): string {
  const state = closed === undefined ? [] : [renderClosedState(closed)];
  return [...renderNames(names), ...renderExplanation(explanation), ...state].map(printableLine).join('\n');
}

function renderNames(names: TokenNames | undefined): string[] {
  if (names === undefined) return [];
  const list = (all: readonly string[]) => (all.length === 0 ? 'nothing' : all.join(', '));
  return [`The header of the token has ${list(names.header)}; its payload has ${list(names.claims)}.`];
}

export function toListedDecisions(
  { anonymous, withApiKey, withJwt }: Explanation,
  hasToken: boolean,
): ExplainedDecision[] {
  return [
    describe(hasToken ? 'the given token' : 'none', anonymous),
    ...(withApiKey === undefined ? [] : [describe('a valid API key', withApiKey)]),
    ...(withJwt === undefined ? [] : [describe('a valid JWT', withJwt)]),
  ];
}

function describe(credential: ExplainedDecision['credential'], decision: Decision): ExplainedDecision {
  const code = decision.outcome === 'allow' ? null : codeOf(decision);
  return {
    credential,
    outcome: decision.outcome,
    status: code === null ? null : statusOf(code),
    code,
    authentication: decision.outcome === 'allow' ? decision.authentication : null,
    steps: decision.steps,
  };
}
