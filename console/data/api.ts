// Calls the server of `neuron console`.
import type { CommandResult, ConsoleFailure, ConsoleSession } from '../../cli/console/api.ts';

/** Parameters of an operation. Absent and empty ones are not sent. */
export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** A failure that the reader can solve. */
export class ConsoleError extends Error {
  readonly status: number;
  readonly why: string | undefined;
  readonly remedy: string | undefined;

  constructor(status: number, { what, why, remedy }: ConsoleFailure['error']) {
    super(what);
    this.status = status;
    this.why = why;
    this.remedy = remedy;
  }
}

let session: Promise<ConsoleSession> | undefined;

/** Requests the session once, and again only after a failure. */
export function loadSession(): Promise<ConsoleSession> {
  session ??= fetchJson<ConsoleSession>('/api/session').catch((error: unknown) => {
    session = undefined;
    throw error;
  });
  return session;
}

/** Runs an operation that changes nothing. */
export function read<Value>(
  name: string,
  parameters: Parameters = {},
  signal?: AbortSignal,
): Promise<CommandResult<Value>> {
  return fetchJson(`/api/run/${name}?${toQuery(parameters)}`, { signal: signal ?? null });
}

/** Runs an operation that changes something, or whose parameters must not be part of an address. */
export function send<Value>(name: string, parameters: Parameters = {}): Promise<CommandResult<Value>> {
  return post(`/api/run/${name}`, parameters);
}

async function post<Value>(path: string, body: object): Promise<Value> {
  const { csrfToken } = await loadSession();
  return fetchJson(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrfToken },
    body: JSON.stringify(body),
  });
}

/** Yields values as they come, one a line, and null while there are none. */
export async function* readLines<Value>(
  path: string,
  parameters: Parameters,
  signal: AbortSignal,
): AsyncGenerator<Value | null> {
  const response = await request(`/api/${path}?${toQuery(parameters)}`, { signal });
  yield* splitLines<Value>(response);
}

/** The same for a request with a body. */
export async function* sendLines<Value>(
  path: string,
  body: object,
  signal: AbortSignal,
): AsyncGenerator<Value | null> {
  const { csrfToken } = await loadSession();
  const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': csrfToken };
  const response = await request(`/api/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal,
  });
  yield* splitLines<Value>(response);
}

async function* splitLines<Value>(response: Response): AsyncGenerator<Value | null> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const chunk = await reader?.read();
    if (chunk === undefined || chunk.done) return;
    const lines = (rest + chunk.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const value = JSON.parse(line) as Value | ConsoleFailure | null;
      if (value !== null && typeof value === 'object' && isFailure(value))
        throw new ConsoleError(422, value.error);
      yield value as Value | null;
    }
  }
}

/** Events of a call have a kind, which distinguishes their errors from failures of the console. */
function isFailure(value: object): value is ConsoleFailure {
  return 'error' in value && !('kind' in value);
}

async function fetchJson<Value>(path: string, init: RequestInit = {}): Promise<Value> {
  return (await request(path, init)).json() as Promise<Value>;
}

/** Throws `ConsoleError`, and an AbortError for a cancelled request. */
async function request(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new ConsoleError(0, {
      what: 'The console does not answer.',
      why: 'The command `neuron console` has ended.',
      remedy: 'Start it again in a terminal, and open the address that it prints.',
    });
  }
  if (response.ok) return response;
  const body = (await response.json().catch(() => undefined)) as ConsoleFailure | undefined;
  throw new ConsoleError(
    response.status,
    body?.error ?? { what: `The console answered ${response.status}.` },
  );
}

function toQuery(parameters: Parameters): string {
  const present = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString();
}
