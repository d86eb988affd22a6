// The command as a process: what the shell sees.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const program = resolve(import.meta.dirname, '../../bin/neuron.js');
/** What Node compiled once, which halves the time of a start. */
const NODE_COMPILE_CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/node-compile');

function neuron(words: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    input,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], NO_COLOR: '1', NODE_COMPILE_CACHE },
  });
  return { status, stdout, stderr };
}

/** Runs the program's first file from another folder, as if by another version of Node. */
function runCopy(path: string, nodeVersion: string) {
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(program, path);
  // The copy stands in no package that says so.
  writeFileSync(join(dirname(path), '..', 'package.json'), '{"type":"module"}');
  const pretend = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${nodeVersion}'}})`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, path, 'a', 'b c'],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

const temporary = () => temporaryFolder();

describe('the process', () => {
  it('prints help and ends with 0', () => {
    const { status, stdout, stderr } = neuron(['--help']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('Usage: neuron <command> [options]');
  });

  it('exits with 2 for wrong usage and with 1 for a failure', () => {
    expect(neuron(['no-such']).status).toBe(2);
    const failed = neuron(['--local=/nowhere/at/all', 'list']);
    expect(failed.status).toBe(1);
    expect(failed.stdout).toBe('');
    expect(failed.stderr).toContain('error: No local run uses the data folder /nowhere/at/all.');
  });

  it('ends quietly when the reader of its output goes away', async () => {
    const child = spawn(process.execPath, [program, 'completion', 'fish'], {
      env: { ...process.env, NODE_COMPILE_CACHE },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const status = await new Promise((done) => child.on('close', done));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

describe('the completion script', () => {
  it('of bash completes nouns, verbs and options where it is sourced', () => {
    const script = `source <("$0" "$1" completion bash)
complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _neuron; echo "\${COMPREPLY[*]}"; }
complete_words neuron sec
complete_words neuron --local organization p
complete_words neuron secrets set acme key --f
complete -p neuron`;
    const stdout = execFileSync('bash', ['-c', script, process.execPath, program], {
      encoding: 'utf8',
      env: { ...process.env, NODE_COMPILE_CACHE },
    });
    expect(stdout).toBe('secrets\npause\n--for\ncomplete -o default -F _neuron neuron\n');
  });
});

describe('the first file of the program', () => {
  it('says what to install where Node is too old', () => {
    for (const version of ['12.22.0', '22.17.1', '23.5.0']) {
      const { status, stdout, stderr } = runCopy(join(temporary(), 'bin/neuron.js'), version);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toContain(`neuron needs Node.js 22.18 or later`);
      expect(stderr).toContain(`this is ${version}.`);
    }
  });

  it('starts the Node that npm installed beside it, and ends as that ends', () => {
    const root = temporary();
    const own = join(root, 'node_modules/.bin/node');
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, '#!/bin/sh\nshift\necho "own: $*"\nexit 7\n');
    chmodSync(own, 0o755);
    expect(runCopy(join(root, 'bin/neuron.js'), '20.20.2')).toMatchObject({
      status: 7,
      stdout: 'own: a b c\n',
    });
  });

  it('loads the TypeScript in a clone and the built JavaScript in an installed package', () => {
    const clone = temporary();
    mkdirSync(join(clone, 'bin'));
    writeFileSync(join(clone, 'bin/neuron.ts'), 'console.log("clone" satisfies string);');
    const installed = join(temporary(), 'node_modules/neuron-execution-service');
    mkdirSync(join(installed, 'dist/bin'), { recursive: true });
    writeFileSync(join(installed, 'dist/bin/neuron.js'), 'console.log("installed");');
    expect(runCopy(join(clone, 'bin/neuron.js'), '24.1.0').stdout).toBe('clone\n');
    expect(runCopy(join(installed, 'bin/neuron.js'), '24.1.0').stdout).toBe('installed\n');
  });
});
