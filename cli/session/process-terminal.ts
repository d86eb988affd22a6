// The terminal of the running process.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Sink, Terminal } from '../output/terminal.ts';

/** Ends this process silently when the reader of its output ends (`neuron logs acme | head`). */
export function endWhenUnread(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit();
      throw error;
    });
  }
}

export function createProcessTerminal(): Terminal {
  return {
    stdin: {
      isTerminal: process.stdin.isTTY === true,
      readAll: readAllOfStdin,
      readLine: (prompt, detail) => readLine(prompt, detail?.hidden ?? false),
    },
    stdout: toSink(process.stdout),
    stderr: toSink(process.stderr),
    environment: process.env,
    folder: process.cwd(),
  };
}

function toSink(stream: NodeJS.WriteStream): Sink {
  return {
    isTerminal: stream.isTTY === true,
    // Read each time, since a window may be resized. Some terminals report 0.
    get columns() {
      return stream.columns || undefined;
    },
    write: (text) => void stream.write(text),
  };
}

async function readAllOfStdin(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString('utf8');
}

/** `hidden`: typed characters are not shown. */
function readLine(prompt: string, hidden: boolean): Promise<string | undefined> {
  if (hidden) process.stderr.write(prompt);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: hidden ? nowhere : process.stderr,
    terminal: true,
    historySize: 0,
    // `readline` redraws the line with its prompt; a hidden line is not drawn.
    prompt: hidden ? '' : prompt,
  });
  lines.prompt();
  return new Promise((resolve) => {
    let answer: string | undefined;
    lines.on('line', (line) => {
      answer = line;
      lines.close();
    });
    lines.on('SIGINT', () => lines.close());
    lines.on('close', () => {
      if (hidden || answer === undefined) process.stderr.write('\n');
      resolve(answer);
    });
  });
}
