#!/usr/bin/env node
// Starts the command `neuron`. Plain JavaScript in old syntax, so that an old Node can read it and print what to install.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const LEAST = [22, 18];
const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);

function isNewEnough(version) {
  const parts = version.split('.').map(Number);
  // 23.0 to 23.5 do not run TypeScript files as they are.
  if (parts[0] === 23) return parts[1] >= 6;
  return parts[0] > LEAST[0] || (parts[0] === LEAST[0] && parts[1] >= LEAST[1]);
}

/** The Node that npm installed beside this package, unless it is the running one. */
function findOwnNode() {
  const candidates = [join(root, 'node_modules', '.bin', 'node'), join(root, '..', '.bin', 'node')];
  return candidates.find((path) => existsSync(path) && realpathSync(path) !== realpathSync(process.execPath));
}

function runWith(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const pass = (signal) => child.kill(signal);
  signals.forEach((signal) => {
    process.on(signal, pass);
  });
  child.on('error', () => {
    rejectOldNode();
  });
  child.on('exit', (code, signal) => {
    signals.forEach((name) => {
      process.removeListener(name, pass);
    });
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
}

function rejectOldNode() {
  process.stderr.write(
    'neuron needs Node.js ' +
      LEAST.join('.') +
      ' or later (23.6 or later of 23); this is ' +
      process.versions.node +
      '.\nInstall Node.js 24 from https://nodejs.org, or run `npm ci` here, which installs one on Linux.\n',
  );
  process.exitCode = 1;
}

function load() {
  // Node runs no TypeScript under node_modules, so the package carries JavaScript; the clone runs its sources.
  const installed = root.split(sep).indexOf('node_modules') !== -1;
  // Compiled once, in a folder of who installed it: what is under a shared folder for temporary files could be another's.
  const modules = installed ? dirname(root) : join(root, 'node_modules');
  if (nodeModule.enableCompileCache) nodeModule.enableCompileCache(join(modules, '.cache', 'neuron'));
  const file = installed ? join(root, 'dist', 'bin', 'neuron.js') : join(here, 'neuron.ts');
  return import(pathToFileURL(file).href);
}

const ownNode = isNewEnough(process.versions.node) ? undefined : findOwnNode();
if (isNewEnough(process.versions.node)) {
  load().catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  });
} else if (ownNode === undefined) {
  rejectOldNode();
} else {
  runWith(ownNode);
}
