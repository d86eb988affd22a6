// Reads the texts that settings files name, only from the folder of the settings file.
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { InstructionFiles } from '../../core/admin/validate/inline-files.ts';

/** Texts have at most 100,000 characters, of at most 4 bytes each. */
const MAX_BYTES = 400_000;

/** Names of settings files are relative to `folder`. */
export function createInstructionFiles(folder: string): InstructionFiles {
  return {
    read(documentFile, name) {
      const parts = name.split('/').filter((part) => part !== '.');
      if (!parts.every(isPlainName)) {
        return {
          error: `must name a file in the folder of ${documentFile} or below it, such as prompts/tone.md`,
        };
      }
      return readInside(dirname(resolve(folder, documentFile)), parts, name);
    },
  };
}

/** No way up, no absolute path (which begins with an empty part), no separators of other systems, no drive. */
function isPlainName(part: string): boolean {
  return part !== '' && part !== '..' && !/[\\:\0]/.test(part);
}

type ReadResult = ReturnType<InstructionFiles['read']>;

function readInside(folder: string, parts: readonly string[], name: string): ReadResult {
  try {
    const path = join(folder, ...parts);
    if (parts.some((_, index) => isLink(join(folder, ...parts.slice(0, index + 1))))) {
      return {
        error: `${name} is a symbolic link or below one; only files that are in the folder themselves are read`,
      };
    }
    return readRegularFile(path, name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      error:
        code === 'ENOENT' ? `there is no file ${name} beside this one` : `${name} cannot be read (${code})`,
    };
  }
}

function isLink(path: string): boolean {
  return lstatSync(path).isSymbolicLink();
}

/** Checks the opened file, not its name, which may stand for another file by now. */
function readRegularFile(path: string, name: string): ReadResult {
  // O_NONBLOCK: opening a named pipe would wait for a writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const status = fstatSync(file);
    if (!status.isFile()) return { error: `${name} is not a file` };
    if (status.size > MAX_BYTES) return { error: `${name} is larger than ${MAX_BYTES} bytes` };
    return decode(readFileSync(file), name);
  } finally {
    closeSync(file);
  }
}

/** As YAML reads its own texts: without a byte order mark, with plain line ends. */
function decode(bytes: Uint8Array, name: string): ReadResult {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text: text.replaceAll('\r\n', '\n') };
  } catch {
    return { error: `${name} is not text in UTF-8` };
  }
}
