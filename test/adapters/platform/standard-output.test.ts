// Lines on standard output: whole, at once, and with a full pipe too.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLineSink } from '../../../adapters/platform/standard-output.ts';

const full = Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' });

/** Takes what each entry says, in turn: a count of bytes or an error; then everything. */
function createWriter(...turns: (number | Error)[]) {
  let text = '';
  const write = (bytes: Uint8Array, offset: number) => {
    const turn = turns.shift() ?? bytes.byteLength;
    if (turn instanceof Error) throw turn;
    const taken = bytes.subarray(offset, offset + turn);
    text += Buffer.from(taken).toString('latin1');
    return taken.byteLength;
  };
  return { write, text: () => Buffer.from(text, 'latin1').toString('utf8') };
}

describe('a line', () => {
  it('is written with its end', () => {
    const writer = createWriter();
    createLineSink(writer.write).write('{"né":1}');
    expect(writer.text()).toBe('{"né":1}\n');
  });

  it('is written in pieces where not all is taken, within a character too', () => {
    const writer = createWriter(2, 1, 0, 3);
    createLineSink(writer.write).write('né long line');
    expect(writer.text()).toBe('né long line\n');
  });

  it('waits for a full pipe and goes on where it was', () => {
    const writer = createWriter(3, full, full, 2, full);
    let pauses = 0;
    createLineSink(writer.write, () => {
      pauses += 1;
    }).write('a longer line');
    expect(writer.text()).toBe('a longer line\n');
    expect(pauses).toBe(3);
  });

  it('fails when the pipe stays full, and when it is closed', () => {
    const stuck = createLineSink(
      () => {
        throw full;
      },
      () => undefined,
    );
    expect(() => stuck.write('x')).toThrow(full);
    const closed = createLineSink(() => {
      throw Object.assign(new Error('EPIPE'), { code: 'EPIPE' });
    });
    expect(() => closed.write('x')).toThrow('EPIPE');
  });
});

describe('a process that is killed right after its lines', () => {
  it('has written them all, to a pipe that is read slowly', async () => {
    const module = new URL('../../../adapters/platform/standard-output.ts', import.meta.url).href;
    const program = `
      const { standardOutput } = await import(${JSON.stringify(module)});
      for (let line = 0; line < 300; line += 1) standardOutput.write(String(line).padEnd(1000, '.'));
      process.kill(process.pid, 'SIGKILL');`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    let text = '';
    // 300 KB are more than a pipe holds: the child has to wait for its reader.
    await wait(200);
    for await (const chunk of child.stdout) text += String(chunk);
    await closed;
    const lines = text.split('\n');
    expect(lines).toHaveLength(301);
    expect(lines[299]).toBe('299'.padEnd(1000, '.'));
  });
});
