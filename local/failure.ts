// The errors that a person can act on: each has a code for programs and a message that says what, why and what to do.

export type FailureCode =
  /** The folder holds no readable cloud assembly; synthesize again. */
  | 'ASSEMBLY_UNREADABLE'
  /** The template needs something that is not supported; the message names every place. */
  | 'TEMPLATE_NOT_SUPPORTED'
  /** Another run that is alive uses the data folder. */
  | 'DATA_FOLDER_IN_USE'
  /** The data folder does not exist and cannot be created, or is not a folder. */
  | 'DATA_FOLDER_NOT_MADE'
  /** A file of the data folder was not written by a local run. */
  | 'DATA_FOLDER_UNREADABLE'
  /** The database did not start, or ended while it was needed. */
  | 'ENGINE_FAILED'
  /** A stored table cannot be changed into the one of the template. */
  | 'TABLE_NOT_CHANGEABLE'
  | 'PORT_TAKEN';

export type LocalFailure = Error & { readonly code: FailureCode };

/** Makes an error that a person can act on; `cause` is kept for those who read the stack. */
export function localFailure(code: FailureCode, message: string, cause?: unknown): LocalFailure {
  return Object.assign(new Error(message, cause === undefined ? undefined : { cause }), { code });
}
