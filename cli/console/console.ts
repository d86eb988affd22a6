// `neuron console`: serves a web page on this machine that runs the other commands.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InvalidArgumentError } from 'commander';
import { systemClock } from '../../adapters/platform/clock.ts';
import { watchParent } from '../../adapters/platform/parent-process.ts';
import { command, flag, type LoadProgram, option, type RegisteredCommand } from '../command/command.ts';
import { CommandFailure, EXIT, type ExitCode } from '../output/failure.ts';
import type { Terminal } from '../output/terminal.ts';
import { readPackageVersion } from '../session/package-version.ts';
import type { Session } from '../session/session.ts';
import { createCalls } from './calls.ts';
import { loadPageFiles } from './page-files.ts';
import { createRunCommand } from './run-command.ts';
import { type ConsoleServer, startConsoleServer } from './server.ts';
import { createSignIn } from './sign-in.ts';

/** Fixed, so that an address can be sent to a colleague who also runs the console. */
const DEFAULT_PORT = 4680;

/** `loadProgram` builds the commands that the page runs. */
export function createConsole(loadProgram: LoadProgram): RegisteredCommand {
  return command({
    name: 'console',
    options: {
      port: option('--port <port>', 'port on 127.0.0.1; 0 takes a free one', parsePort, {
        default: DEFAULT_PORT,
      }),
      noOpen: flag('--no-open', 'do not open a browser'),
    },
    help: 'The page has your own rights: it runs the commands of `neuron` in this process, and ends with it and with the process that started it. The printed address signs in one browser, once.',
    async run({ port, noOpen }, session) {
      // The stack is looked up first, so that a wrong --stack fails before the server listens.
      await session.findStack();
      const server = await start(session, port, loadProgram);
      // An orphan would hold the port, with the rights of an operator who believes that it has ended.
      watchParent(() => process.exit(EXIT.done));
      const address = server.createAddress();
      session.out.value({ address }, address);
      session.out.message(
        'Open this address in a browser of this machine; it works once. Ctrl-C ends the console.',
      );
      if (!noOpen) openBrowser(address, session.terminal);
      return serveUntilEnd(server, session);
    },
  });
}

async function start(session: Session, port: number, loadProgram: LoadProgram): Promise<ConsoleServer> {
  const call = createCalls({
    run: createRunCommand(session, loadProgram),
    clock: systemClock,
    describeSession: async () => {
      const { name, outputs, region = null, url, local } = await session.findStack();
      const { stageName: stage, transferMode } = outputs;
      return {
        stack: name,
        stage,
        region,
        url,
        isLocal: local !== undefined,
        version: readPackageVersion(),
        transferMode,
      };
    },
  });
  const files = await loadPageFiles(session.out.message);
  return startConsoleServer({ port, files, signIn: createSignIn(), call }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new CommandFailure({
      what: `Port ${port} is in use.`,
      why: 'Another console may be running.',
      remedy: 'Pass another with --port, or 0 for one that is free.',
    });
  });
}

/** Each Enter prints a new address, and the end of the input ends the console. Without a terminal a signal or the end of the parent ends it. */
async function serveUntilEnd(server: ConsoleServer, { terminal, out }: Session): Promise<ExitCode> {
  if (!terminal.stdin.isTerminal || !terminal.stderr.isTerminal) return new Promise(() => undefined);
  while ((await terminal.stdin.readLine('Press Enter for another address. ')) !== undefined) {
    const address = server.createAddress();
    out.value({ address }, address);
  }
  await server.close();
  return EXIT.done;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be a port, from 0 to 65535.');
  return port;
}

/** Longer than any browser needs to read a file. */
const FILE_MS = 30_000;

const COMMANDS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

/**
 * May fail silently, since the address is printed too. Other users of the machine can read the arguments of every process, so the browser
 * gets a file that only this user can read and that redirects to the address.
 */
function openBrowser(address: string, { environment, stdout }: Terminal): void {
  const [program, ...words] = COMMANDS[process.platform] ?? [];
  const hasScreen =
    process.platform !== 'linux' || Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY']);
  if (program === undefined || !hasScreen || !stdout.isTerminal) return;
  const folder = mkdtempSync(join(tmpdir(), 'neuron-console-'));
  const file = join(folder, 'open.html');
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${address}">`, {
    mode: 0o600,
  });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  setTimeout(remove, FILE_MS).unref();
  process.once('exit', remove);
  const child = spawn(program, [...words, pathToFileURL(file).href], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
