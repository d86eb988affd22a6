// Reads headers and query parameters of a REST API event, repeated ones included.

/** The members that are read; AWS documents them for proxy events, and not all of them for authorizers. */
interface HeaderMaps {
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined;
}

/** The same for query parameters. */
interface QueryMaps {
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null | undefined;
  readonly multiValueQueryStringParameters?:
    | Readonly<Record<string, readonly string[] | undefined>>
    | null
    | undefined;
}

/**
 * Every value of a header, whatever the case of its name: API Gateway passes names as the caller wrote them. Undefined
 * where the event has no headers: whether the caller sent one is unknown then.
 */
export function headerValues(event: HeaderMaps, name: string): readonly string[] | undefined {
  const { headers, multiValueHeaders } = event;
  if (multiValueHeaders == null && headers == null) return undefined;
  const wanted = name.toLowerCase();
  const values = selectValues(multiValueHeaders, (key) => key.toLowerCase() === wanted);
  // `headers` has only the last value of each.
  return values.length > 0 ? values : selectValues(headers, (key) => key.toLowerCase() === wanted);
}

/** Every value of a query parameter; names are compared exactly. */
export function queryValues(event: QueryMaps, name: string): readonly string[] {
  const values = selectValues(event.multiValueQueryStringParameters, (key) => key === name);
  return values.length > 0 ? values : selectValues(event.queryStringParameters, (key) => key === name);
}

function selectValues(
  map: Readonly<Record<string, string | readonly string[] | undefined>> | null | undefined,
  isWanted: (key: string) => boolean,
): readonly string[] {
  return Object.entries(map ?? {}).flatMap(([key, value]) => (isWanted(key) ? (value ?? []) : []));
}
