// Setup file of Vitest: its hook runs after all hooks of the test file itself.
import { afterAll } from 'vitest';
import { endFile } from './temporary-folder.ts';

afterAll(endFile);
