// The parts of a request that access control checks, without types of AWS.

/** The parts that are checked once the settings of the neuron are known. */
export interface AccessFacts extends Pick<AccessRequest, 'sourceIp' | 'referers' | 'origins' | 'timeMs'> {
  readonly credential: Credential;
}

/** The one credential of a request by its form; only a store or a signature says whether it is valid. */
export type Credential =
  /** Without a digest its form or its checksum is wrong, or it could be guessed. */
  | { readonly kind: 'apiKey'; readonly digest: string | undefined; readonly isForeign?: true }
  | { readonly kind: 'jwt'; readonly text: string }
  | { readonly kind: 'none'; readonly reason: string };

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
