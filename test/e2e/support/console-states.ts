// Every page, change and empty state of the console, by the file that looks at it in Chromium. test/cli/console/states.test.ts holds that none of
// the sources is missing here; each of the files ends with what it did not see.

/** States that a file looks at. */
interface States {
  /** Paths, as in the routes of console/app.tsx. */
  readonly pages?: readonly string[];
  /** Operations that change or run something, as in cli/console/operations.ts. */
  readonly changes?: readonly string[];
  /** Titles, with `…` for what is filled in. */
  readonly empty?: readonly string[];
}

const OF = '/o/:organization';

export const CONSOLE_STATES = {
  console: {
    pages: [
      ...['overview', 'logs', 'neurons', 'keys', 'limits', 'access', 'guards', 'people', 'rollouts'],
      ...['playground', 'changes', 'health', 'neurons/:neuron'],
    ].map((name) => `${OF}/${name}`),
    changes: [
      ...['createKey', 'limitKey', 'pauseKey', 'resumeKey', 'revokeKey', 'previewKey'],
      ...['deploy', 'undeploy', 'clearCache', 'pause', 'resume', 'pauseNeuron', 'resumeNeuron'],
      ...['maintenanceOn', 'maintenanceOff'],
    ],
    empty: ['No entries match.'],
  },
  'console-empty': {
    pages: [
      '/',
      ...['overview', 'logs', 'neurons', 'keys', 'limits', 'access', 'guards', 'people', 'rollouts'].map(
        (name) => `${OF}/${name}`,
      ),
      ...['playground', 'changes', 'health', 'neurons/:neuron'].map((name) => `${OF}/${name}`),
      'default',
    ],
    empty: [
      'There are no organizations yet.',
      'No calls in this time.',
      'Nothing was used this month.',
      'No entries match.',
      'There are no neurons yet.',
      'There are no versions yet.',
      'There is only one version, so there is nothing to compare.',
      'There are no keys yet.',
      '… has no limits.',
      'No share of a limit was reached.',
      'No guard found anything in ….',
      'Name a person.',
      'Nothing was changed in this time.',
      'No call was refused or failed.',
      'No call named ….',
    ],
  },
  'console-drafts': {
    pages: [`${OF}/playground`],
    changes: ['tryDraft', 'tryDeployed', 'tryCases', 'saveVersion'],
  },
  'console-rollouts': {
    pages: [`${OF}/rollouts`],
    changes: [
      ...['rolloutStart', 'rolloutPause', 'rolloutResume', 'rolloutNext', 'rolloutPromote', 'rolloutAbort'],
      ...['shadowStart', 'shadowStop'],
    ],
    empty: [
      'There are no neurons yet.',
      'No rollout is going on.',
      'No version repeats runs.',
      'No feedback came this month.',
    ],
  },
  'console-guards': { pages: [`${OF}/guards`], empty: ['No guard found anything in ….'] },
  'console-people': {
    pages: [`${OF}/people`],
    changes: ['erasePerson', 'exportPerson'],
    empty: ['Name a person.', 'Nothing is kept of this person in ….', 'No calls in 30 days.'],
  },
  'console-service': { pages: ['/'], empty: ['No organization has a call in this time.'] },
} as const satisfies Readonly<Record<string, States>>;

export type ConsoleFile = keyof typeof CONSOLE_STATES;

/** Addresses that were looked at, operations that were made, and titles of empty states that were looked at. */
export type SeenStates = Readonly<Record<keyof States, Set<string>>>;

export function createSeen(): SeenStates {
  return { pages: new Set(), changes: new Set(), empty: new Set() };
}

/** Those of the file that it did not see. */
export function listUnseen(file: ConsoleFile, seen: SeenStates): readonly string[] {
  const { pages = [], changes = [], empty = [] }: States = CONSOLE_STATES[file];
  return [
    ...pages.filter((path) => path !== 'default' && !matches(path, /:\w+/, '[a-z0-9-]+', seen.pages)),
    ...changes.filter((name) => !seen.changes.has(name)),
    ...empty.filter((title) => !matches(title, /…/, '.+', seen.empty)),
  ];
}

function matches(text: string, gap: RegExp, filling: string, found: ReadonlySet<string>): boolean {
  const pattern = new RegExp(`^${text.replaceAll('.', '\\.').split(gap).join(filling)}$`);
  return [...found].some((one) => pattern.test(one));
}
