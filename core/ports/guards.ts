// The port to guards that other services run.
import type { Stage } from '../settings/guards/guards-schema.ts';
import type { TokenUsage } from './providers.ts';

/** A text, with whose it is: services judge an instruction of a tool otherwise than one of a user. */
export interface InspectedText {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
}

/** One call, with no more than the traits of its type allow. */
export interface GuardRequest {
  readonly stage: Stage;
  /** At least one, none of them blank. */
  readonly texts: readonly InspectedText[];
  /** Aborts at the deadline of the stage. */
  readonly signal: AbortSignal;
}

/** A find in one of the texts; without a place where the service names none. */
export interface ServiceFind {
  /** A name of the service's kind, such as `JAILBREAK`: the log keeps it, so that it can never be a part of a text. */
  readonly entity: string;
  /** The index of its text. */
  readonly text: number;
  /** UTF-16 code units; `end` is after the last. */
  readonly span?: { readonly start: number; readonly end: number };
}

/** Tokens of a model. */
interface ModelTokens {
  readonly provider: string;
  readonly model: string;
  readonly usage: TokenUsage;
  /** Present where the server counted none: these are the most. */
  readonly isEstimated?: true;
}

/** A call is charged by these: units of its service, by their names in its settings' `prices`, or tokens of a model. */
export interface GuardUsage {
  readonly units?: Readonly<Record<string, number>>;
  readonly tokens?: ModelTokens;
}

/** `block`: the service found what its settings say it shall not let through; `finds` may then be empty, and with `none` it is. */
export interface GuardVerdict {
  readonly verdict: 'block' | 'none';
  readonly finds: readonly ServiceFind[];
  readonly usage: GuardUsage;
}

/**
 * `timeout`: the signal. `connection`: none, or one that ended before the answer was whole. `rate_limited`: 429. `server_error`: 5xx.
 * `rejected`: any other status but 200. `unreadable`: an answer that is no verdict, an error in a 200 among them.
 */
export type GuardFailureKind =
  | 'timeout'
  | 'connection'
  | 'rate_limited'
  | 'server_error'
  | 'rejected'
  | 'unreadable';

/** Failures that settings may let pass. The others are mistakes of settings or of the service, which nothing but their repair ends. */
export const MAY_PASS: ReadonlySet<GuardFailureKind> = new Set([
  'timeout',
  'connection',
  'rate_limited',
  'server_error',
]);

/** Thrown by guards of services. A class, to distinguish a failure from a defect. Holds no text of the service: it may repeat what it judged. */
export class GuardFailure extends Error {
  readonly kind: GuardFailureKind;
  /** The service's HTTP status, for the log. */
  readonly status: number | undefined;
  /** True where a part of the call was answered, and is to be paid for. */
  readonly hasUsed: boolean;

  constructor(
    kind: GuardFailureKind,
    status?: number,
    { hasUsed = false }: { readonly hasUsed?: boolean } = {},
  ) {
    super(`the guard failed: ${kind}`);
    this.name = 'GuardFailure';
    this.kind = kind;
    this.status = status;
    this.hasUsed = hasUsed;
  }
}

/** A guard of an organization that a service runs. */
export interface GuardService {
  /** One call, repeated with a secret that has changed alone. Throws `GuardFailure`; `ServiceError` `configuration` for a secret that is not set. */
  inspect(request: GuardRequest): Promise<GuardVerdict>;
}
