// Headers and query parameters that an organization adds to the requests of one of its providers.
import * as z from 'zod/mini';
import { secretReference } from './scalars.ts';
import { noted } from './schema-notes.ts';

const MAX_HEADERS = 20;
const MAX_PARAMETERS = 20;

/**
 * Names that no settings may set: credentials have `apiKey`, the others are of one connection (RFC 9110, section 7.6.1) or say what the
 * service itself sends and reads.
 */
const OWN: ReadonlySet<string> = new Set([
  ...['authorization', 'proxy-authorization', 'x-api-key', 'api-key', 'cookie'],
  ...[
    'host',
    'connection',
    'keep-alive',
    'proxy-connection',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'expect',
  ],
  ...['accept', 'accept-encoding', 'content-encoding', 'content-length', 'content-type', 'user-agent'],
  ...['traceparent', 'tracestate', 'anthropic-version'],
]);

/** A value under such a name is a credential, which settings files and their history must not hold. */
const CREDENTIAL = /key|token|secret|password|credential|auth(?!or)/i;

const headerName = z.string().check(
  z.regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, {
    error: 'must be the name of a header: letters, digits and -, beginning with a letter',
  }),
  z.refine((name) => !OWN.has(name.toLowerCase()), {
    error: ({ input }) =>
      `must not be ${String(input).toLowerCase()}: the service sets it itself (credentials have apiKey and auth)`,
  }),
);

const VALUE_ERROR = 'must be text of 1 to 500 visible ASCII characters on one line, or { secret: NAME }';

/** No control character, so no value can end its header and begin another one. */
const literal = z
  .string({ error: VALUE_ERROR })
  .check(z.regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,498}[\x21-\x7e])?$/, { error: VALUE_ERROR }));

/** Headers by name: a text, or a reference to a secret of the organization. */
export const headers = noted(
  z.record(headerName, z.union([literal, secretReference], { error: VALUE_ERROR })).check(
    z.check(({ value, issues }) => {
      issues.push(...findIssues(value));
    }),
  ),
  { maxProperties: MAX_HEADERS },
);

export type ProviderHeaders = z.output<typeof headers>;

function findIssues(value: Readonly<Record<string, unknown>>) {
  const names = Object.keys(value);
  const lower = names.map((name) => name.toLowerCase());
  const issue = (message: string, path: string[] = []) => ({
    code: 'custom' as const,
    input: value,
    path,
    message,
  });
  return [
    ...(names.length > MAX_HEADERS ? [issue(`must hold at most ${MAX_HEADERS} headers`)] : []),
    ...names.flatMap((name, index) => {
      if (lower.indexOf(name.toLowerCase()) < index)
        return [issue('repeats a header in other letters', [name])];
      const isLiteral = typeof value[name] === 'string';
      return isLiteral && CREDENTIAL.test(name)
        ? [
            issue(
              'must be { secret: NAME }: by its name it is a credential; set the value with `neuron secrets set`',
              [name],
            ),
          ]
        : [];
    }),
  ];
}

const PARAMETER_ERROR = 'must be text of 1 to 200 visible ASCII characters';

/** Query parameters by name. Never a secret: servers log their URLs. */
export const query = noted(
  z
    .record(
      z.string().check(
        z.regex(/^[A-Za-z0-9_.-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, _, . and -' }),
        z.refine((name) => !CREDENTIAL.test(name), {
          error: 'must not be a credential: URLs are logged. Send it with apiKey and auth, or in headers',
        }),
      ),
      z.string({ error: PARAMETER_ERROR }).check(z.regex(/^[\x21-\x7e]{1,200}$/, { error: PARAMETER_ERROR })),
    )
    .check(
      z.refine((parameters) => Object.keys(parameters).length <= MAX_PARAMETERS, {
        error: `must hold at most ${MAX_PARAMETERS} parameters`,
      }),
    ),
  { maxProperties: MAX_PARAMETERS },
);
