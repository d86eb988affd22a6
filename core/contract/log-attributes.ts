// The attributes of log entries that hold no text of callers or models: all that `grantView` lets its role read.
import type { LogEntry } from './log-entry.ts';

/** Members with texts: those by `logging.bodies`, and the comment of feedback. */
type TextMember = 'input' | 'output' | 'trace' | 'feedback';

const TEXTLESS: Readonly<Record<Exclude<keyof LogEntry, TextMember>, true>> = {
  executionId: true,
  timeMs: true,
  organization: true,
  organizationId: true,
  neuron: true,
  neuronId: true,
  version: true,
  branch: true,
  rollout: true,
  shadow: true,
  outcome: true,
  status: true,
  code: true,
  reason: true,
  sourceIp: true,
  refererHost: true,
  username: true,
  keyId: true,
  authentication: true,
  surface: true,
  clientKind: true,
  session: true,
  traceparent: true,
  replayOf: true,
  leftOut: true,
  tags: true,
  guards: true,
  cache: true,
  cacheDistance: true,
  cacheSource: true,
  cacheFailures: true,
  latencyMs: true,
  ownLatencyMs: true,
  tokensInput: true,
  tokensOutput: true,
  costMicrodollars: true,
  savingsMicrodollars: true,
  infrastructureNanodollars: true,
  modelCalls: true,
  count: true,
  expiresAt: true,
  restored: true,
  cut: true,
};

/** Members of an entry without texts. */
export const TEXTLESS_MEMBERS = Object.keys(TEXTLESS) as readonly (keyof typeof TEXTLESS)[];

/** Top-level attributes of an item of the log table, its keys included. */
export const TEXTLESS_ATTRIBUTES: readonly string[] = ['pk', 'sk', ...TEXTLESS_MEMBERS];
