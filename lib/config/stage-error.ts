// An error that the settings of a stage cause, not a defect: its message is all that whoever deploys needs.

/** A class, so that the CDK app prints the message without Node's stack. */
export class StageError extends Error {
  override readonly name = 'StageError';
}
