// The parts of a request that access control checks, without types of AWS.

/** The parts that are checked once the settings of the neuron are known. */
export type AccessFacts = Omit<AccessRequest, 'organization' | 'neuron'>;

/** A request before it is admitted. Lists hold every header line of that name, so that a doubled header is noticed. */
export interface AccessRequest {
  /** Slugs as the path names them, not yet validated. */
  readonly organization: string;
  readonly neuron: string;
  /** The peer of the connection, never an address that a header claims. */
  readonly sourceIp: string | undefined;
  /** Undefined when the headers of the request are unknown. */
  readonly referers: readonly string[] | undefined;
  readonly origins: readonly string[] | undefined;
  readonly authorizations: readonly string[];
  /** When the request was received, milliseconds since the Unix epoch; expiry is measured against it. */
  readonly timeMs: number;
}
