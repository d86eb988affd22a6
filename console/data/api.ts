// Calls the server of `neuron console`.
import type { CommandResult, ConsoleFailure, ConsoleSession } from '../../cli/console/api.ts';

/** What an operation is given. Absent and empty values are not sent. */
export type Input = Readonly<Record<string, string | number | boolean | undefined>>;

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

/** The session, asked for once. A failed answer is asked for again. */
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
  input: Input = {},
  signal?: AbortSignal,
): Promise<CommandResult<Value>> {
  return fetchJson(`/api/run/${name}?${toQuery(input)}`, { signal: signal ?? null });
}

/** Runs an operation with what must not be part of an address, or one that changes something. */
export function send<Value>(name: string, input: Input = {}): Promise<CommandResult<Value>> {
  return post(`/api/run/${name}`, input);
}

async function post<Value>(path: string, body: object): Promise<Value> {
  const { csrfToken } = await loadSession();
  return fetchJson(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrfToken },
    body: JSON.stringify(body),
  });
}

/** Values as they come, one a line; null where nothing came for a while. */
export async function* readLines<Value>(
  path: string,
  input: Input,
  signal: AbortSignal,
): AsyncGenerator<Value | null> {
  const response = await request(`/api/${path}?${toQuery(input)}`, { signal });
  yield* splitLines<Value>(response);
}

/** The same for a call that has a body. */
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

/** Events of a call have a kind, so that their errors are told from failures of the console. */
function isFailure(value: object): value is ConsoleFailure {
  return 'error' in value && !('kind' in value);
}

async function fetchJson<Value>(path: string, init: RequestInit = {}): Promise<Value> {
  return (await request(path, init)).json() as Promise<Value>;
}

/** Throws `ConsoleError`, and an AbortError for a call that was given up. */
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

function toQuery(input: Input): string {
  const present = Object.entries(input).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString();
}
