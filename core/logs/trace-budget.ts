// Bounds the decisions and patterns of a trace to what an entry, and its line on standard output, can hold.

/** What a step decided, and the patterns that matched. */
interface Decided {
  readonly decision?: string | undefined;
  readonly matched?: readonly string[] | undefined;
}

/** The same, as stored in an entry. */
interface KeptDecided {
  readonly decision?: string;
  readonly matched?: readonly string[];
}

/** UTF-16 units that the decisions and patterns of one entry may take together: a line of CloudWatch Logs ends at 256 KB. */
const BUDGET = 40_000;
const MAX_DECISION_LENGTH = 1_000;

/** A keeper for one entry, in UTF-8 that DynamoDB takes, wherever it was cut: decisions are cut, and patterns left out once the budget is spent. Every step stays. */
export function createKeepDecided(): (step: Decided) => KeptDecided {
  let left = BUDGET;
  return ({ decision, matched }) => {
    const kept = decision?.slice(0, Math.max(8, Math.min(MAX_DECISION_LENGTH, left))).toWellFormed();
    left -= kept?.length ?? 0;
    const size = (matched ?? []).reduce((sum, pattern) => sum + pattern.length, 0);
    const holds = matched !== undefined && size <= left;
    if (holds) left -= size;
    return {
      ...(kept === undefined ? {} : { decision: kept }),
      ...(holds ? { matched: matched.map((pattern) => pattern.toWellFormed()) } : {}),
    };
  };
}
