// The members that all objects of one message share.

/** Members that all objects of one answer share. */
export interface MessageHead {
  readonly executionId: string;
  /** As the caller named it. */
  readonly model: string;
}

/** In characters that no client or log has to escape; as unique as the execution. */
export function messageIdOf({ executionId }: MessageHead): string {
  return `msg_${executionId.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}
