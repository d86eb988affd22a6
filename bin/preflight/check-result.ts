// The result of one check of the preflight.

/** An error makes a deployment fail; `unknown` is a check whose facts could not be read. */
export interface CheckResult {
  readonly severity: 'ok' | 'warning' | 'error' | 'unknown';
  readonly text: string;
  readonly remedy?: string;
}
