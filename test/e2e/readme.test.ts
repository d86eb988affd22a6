// Runs every command of the README, in its order, against a stack of this test's own.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { COMMAND, ROOT } from './support/command.ts';
import { paste } from './support/paste.ts';
import { ENGINE, isLocal, type Stack, startStack } from './support/stack.ts';

/** What each command is expected to print; written by hand, in the README's words. */
const EXPECTED: Readonly<Record<string, RegExp>> = {
  'POST /acme/hello': /^\{"output":"You said: Hello","fromCache":false,"executionStopped":false\}$/,
  'POST /acme/hello as a stream':
    /^event: delta\ndata: \{"text":"[\s\S]*\nevent: result\ndata: \{"output":"You said: Hello"/,
  'npx neuron --local call acme/hello --openai | sh': /"object":"chat\.completion"/,
  'npx neuron --local logs acme': /hello\s+success\s+200/,
  'POST /acme/cached': /^\{"output":"You said: Hello","fromCache":false,"executionStopped":false\}$/,
  'POST /acme/cached again': /^\{"output":"You said: Hello","fromCache":true,"executionStopped":false\}$/,
  'POST /acme/private': /"statusCode":401/,
  'KEY=$(npx neuron --local keys create acme --name laptop)': /^nrn_\S+$/m,
  'POST /acme/private with the key': /"output":"You said: Hello"/,
  'POST /acme/careful': /^\{"output":"You said: My card is \[CARD\]\.","fromCache":false/,
  'npx neuron --local limits acme': /acme\/limited\s+requests\s+ip\s+1m/,
  'npx neuron --local usage acme': /private\s+2\s+1\s/,
  'POST /acme/assistant': /"code":"configuration"/,
  'printf %s any-text | npx neuron --local secrets set acme openai-key --for providers': /^/,
  'POST /acme/assistant again': /"code":"upstream_unavailable"|"output":/,
  'npx neuron init my-neurons': /^/,
  'npx neuron validate my-neurons': /^/,
  'npx neuron --local apply my-neurons': /^/,
  'POST /my-organization/hello': /You answer in one sentence\..*You said: Hello/,
};

/** Run by .ci/run itself, or by this test as a stack of its own. */
const RUN_ELSEWHERE = ['npm ci && npm start', 'npm test', 'npm run test:e2e', '.ci/run'];

/** Every line of the README's shell blocks but those that need an AWS account, which stand below a sentence that says so. */
function commandsOfReadme(): string[] {
  const text = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const withoutAws = text.replace(/need an AWS account[\s\S]*?```sh[\s\S]*?```/, '');
  return [...withoutAws.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block]) => (block ?? '').split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '' && !RUN_ELSEWHERE.includes(line));
}

/** Names a curl call by what it calls. */
function nameOf(command: string, seen: readonly string[]): string {
  const path = /POST http:\/\/[^/]+(\/\S+)/.exec(command)?.[1];
  if (path === undefined) return command;
  const how = command.includes('event-stream') ? ' as a stream' : '';
  const name = `POST ${path}${how}${command.includes('authorization') ? ' with the key' : ''}`;
  return seen.includes(name) ? `${name} again` : name;
}

/** Between two blocks a person takes a moment, and a secret that was missing is looked for again after a second. */
const asAPerson = () => new Promise((resolve) => setTimeout(resolve, 1_200));

/** Commands that change something, which run once. */
const CHANGES = /^KEY=|secrets set|init |apply /;

// Usage is added up from the stream of a table, which dynalite has not.
describe.runIf(isLocal && ENGINE === 'dynoxide')('the README', () => {
  let stack: Stack;
  const folder = join(temporaryFolder(), 'my-neurons');

  beforeAll(async () => {
    stack = await startStack();
    await stack.operate(['apply', 'examples/']);
  });
  afterAll(() => stack.stop());

  function run(command: string, key: string): string {
    const words = command
      .replaceAll('http://127.0.0.1:3000', stack.url)
      .replaceAll('npx neuron --local', `node bin/neuron.js --local=${stack.dataFolder}`)
      .replaceAll('npx neuron', 'node bin/neuron.js')
      .replaceAll('my-neurons', folder);
    // Every command has a shell of its own here: what one sets is printed for the next.
    const shown = command.startsWith('KEY=') ? `${words} && printf '%s\\n' "$KEY"` : words;
    const { stdout, stderr, status } = spawnSync('bash', ['-c', shown], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, KEY: key, NO_COLOR: '1' },
    });
    if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout}${stderr}`);
    return stdout;
  }

  it('shows commands that all do what it says', { timeout: 120_000 }, async () => {
    const seen: string[] = [];
    let key = '';
    for (const command of commandsOfReadme()) {
      const name = nameOf(command, seen);
      seen.push(name);
      let printed = '';
      const print = () => {
        printed = run(command, key);
        return printed;
      };
      const expected = EXPECTED[name];
      if (expected === undefined)
        throw new Error(`README command that no expectation is written for: ${name}`);
      // A person takes a moment: for what a call leaves behind once it was answered, and for a secret to be looked for again.
      if (!CHANGES.test(name)) await expect.poll(print, { message: name }).toMatch(expected);
      else expect(print(), name).toMatch(expected);
      key = /^nrn_\S+$/m.exec(printed)?.[0] ?? key;
    }
    expect(seen.toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
  });
});

/** Shell blocks that a reader pastes while `npm start` runs: those that call it, and hold no word for the reader to replace. */
function blocksToPaste(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, block = '']) => block)
    .filter((block) => /neuron --local|127\.0\.0\.1:3000/.test(block))
    .filter((block) => !/npx neuron (?!--local|init|validate)/.test(block))
    .filter((block) => !/\b[A-Z]+_ID\b|\bORG\b|\bURL\b|…|--follow/.test(block));
}

/** What the README says a block shows; written by hand, by the block's first command. */
const PASTED: Readonly<Record<string, RegExp>> = {
  'POST /acme/hello': /"output":"You said: Hello"/,
  'POST /acme/hello as a stream': /event: result/,
  'npx neuron --local call acme/hello --openai | sh': /"content":"You said: Hello"/,
  'POST /acme/private': /"statusCode":401[\s\S]*"output":"You said: Hello"/,
  'POST /acme/careful': /My card is \[CARD\]\./,
  'POST /acme/cached': /"fromCache":true/,
  'npx neuron --local logs acme': /acme\/limited\s+requests\s+ip\s+1m/,
  'POST /acme/assistant': /"code":"configuration"/,
  'printf %s any-text | npx neuron --local secrets set acme openai-key --for providers':
    /"code":"upstream_unavailable"|"output":/,
  'npx neuron init my-neurons': /You answer in one sentence\..*You said: Hello/,
};

describe.runIf(isLocal && ENGINE === 'dynoxide')('a block of the docs, pasted into a terminal', () => {
  let stack: Stack;
  const settings = join(temporaryFolder(), 'my-neurons');
  beforeAll(async () => {
    stack = await startStack();
    await stack.operate(['apply', 'examples/']);
  });
  afterAll(() => stack.stop());

  const here = (block: string) =>
    block
      .replaceAll('http://127.0.0.1:3000', stack.url)
      .replaceAll('npx neuron --local', `node ${COMMAND} --local=${stack.dataFolder}`)
      .replaceAll('npx neuron', `node ${COMMAND}`)
      .replaceAll('my-neurons', settings);

  it.each(blocksToPaste('README.md'))(
    'does what the README says: %s',
    { timeout: 120_000 },
    async (block) => {
      await asAPerson();
      const shown = await paste(here(block), {});
      expect(shown).not.toContain('[y/N]');
      const expected = PASTED[nameOf(block.split('\n')[0] ?? '', [])];
      expect(shown).toMatch(expected ?? /a block that no expectation is written for/);
    },
  );

  const guides = globSync('docs/*.md', { cwd: ROOT }).toSorted();
  it.each(guides.flatMap(blocksToPaste))(
    'asks nothing that swallows the next line: %s',
    { timeout: 120_000 },
    async (block) => {
      expect(await paste(here(block), {})).not.toContain('[y/N]');
    },
  );
});

describe('the CDK commands of README and guides', () => {
  const commands = ['README.md', 'docs/deploy.md', 'docs/operations.md'].flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/npx cdk ([a-z]+)([^`\n#]*)/g)].map(
      ([, name = '', options = '']) => ({ name, options: options.match(/(?<= )--?[a-z]+/g) ?? [] }),
    ),
  );

  it.each([...new Set(commands.map(({ name }) => name))])('%s takes the options shown', (name) => {
    const { stdout } = spawnSync(process.execPath, ['node_modules/aws-cdk/bin/cdk', name, '--help'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(stdout).toContain(`cdk ${name}`);
    const shown = commands.filter((command) => command.name === name).flatMap(({ options }) => options);
    expect(shown.filter((option) => !new RegExp(`(?:^|\\s)${option}\\b`, 'm').test(stdout))).toEqual([]);
  });

  it('are those of a whole life: made, compared, removed', () => {
    expect([...new Set(commands.map(({ name }) => name))].toSorted()).toEqual([
      'bootstrap',
      'deploy',
      'destroy',
      'diff',
    ]);
  });
});
