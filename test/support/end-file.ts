// Loaded before every test file, so that this hook runs after all of its own.
import { afterAll } from 'vitest';
import { endFile } from './after-file.ts';

afterAll(endFile);
