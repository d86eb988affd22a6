// A console over ports in memory, and requests to it as a browser sends them.
import { request } from 'node:http';
import { createCalls } from '../../../cli/console/calls.ts';
import { createRunCommand } from '../../../cli/console/run-command.ts';
import { type ConsoleServer, startConsoleServer } from '../../../cli/console/server.ts';
import { createSignIn } from '../../../cli/console/sign-in.ts';
import { createOutput } from '../../../cli/output/print.ts';
import { loadProgram } from '../../../cli/program.ts';
import type { Session } from '../../../cli/session/session.ts';
import { recordChanges } from '../../../core/admin/record-changes.ts';
import type { MemoryPorts } from '../memory-ports.ts';
import { createMemoryTerminal } from '../memory-terminal.ts';

/** What a request is made of; everything else is what the page's own browser sends. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

/** An answer, whole. */
export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

const PAGE = { type: 'text/html; charset=utf-8', body: Buffer.from('<!doctype html><title>page</title>') };

/** A console that listens, and a browser that has not signed in. */
export async function openConsole(ports: MemoryPorts): Promise<ConsoleServer & { readonly host: string }> {
  const terminal = createMemoryTerminal();
  const options = {
    ...{ stack: undefined, region: undefined, profile: undefined, local: undefined },
    ...{ json: false, quiet: false, yes: false, color: false },
  };
  const session: Session = {
    options,
    terminal,
    out: createOutput(terminal, options),
    findStack: async () => ports.stack,
    connect: async () => recordChanges(ports),
  };
  const { name: stack, outputs, url } = ports.stack;
  const facts = { stack, stage: outputs.stageName, region: null, url, isLocal: false, version: '0.0.0' };
  const call = createCalls({
    run: createRunCommand(session, loadProgram),
    clock: ports.clock,
    describeSession: async () => ({ ...facts, transferMode: outputs.transferMode }),
  });
  const files = { find: (path: string) => (path.includes('.') ? undefined : PAGE) };
  const server = await startConsoleServer({ port: 0, files, signIn: createSignIn(), call });
  return { ...server, host: `127.0.0.1:${server.port}` };
}

/** Sends a request with exactly these headers; `fetch` would not send a foreign Host. */
export function send(
  host: string,
  path: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<Got> {
  const [address, port] = host.split(':');
  const input = Object.fromEntries(
    Object.entries({ host, ...headers }).filter(([, value]) => value !== undefined),
  );
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: address, port, path, method, headers: input as Record<string, string> },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Signs in and returns what the page's requests carry. */
export async function signIn(console: ConsoleServer & { readonly host: string }) {
  const address = new URL(console.createAddress());
  const got = await send(console.host, address.pathname + address.search);
  const cookie = String(got.headers['set-cookie']).split(';')[0] ?? '';
  const session = await send(console.host, '/api/session', { headers: { cookie } });
  const { csrfToken } = JSON.parse(session.text) as { csrfToken: string };
  const change = {
    cookie,
    origin: `http://${console.host}`,
    'content-type': 'application/json',
    'x-csrf-token': csrfToken,
  };
  return { cookie, csrfToken, change };
}
