// How long objects of the archive are locked: a text in the function's environment.
const DAY_MS = 86_400_000;
const LOCK =
  /^(GOVERNANCE|COMPLIANCE) ([1-9]\d{0,4})(?: ([a-z0-9-]+=[1-9]\d{0,4}(?:,[a-z0-9-]+=[1-9]\d{0,4})*))?$/;

/** The lock of objects with entries of organizations of these slugs. */
export type ChooseLock = (
  organizations: ReadonlySet<string>,
  nowMs: number,
) => { readonly mode: 'GOVERNANCE' | 'COMPLIANCE'; readonly untilMs: number };

export interface ArchiveLock {
  readonly mode: 'governance' | 'compliance';
  /** Milliseconds. */
  readonly retention: number;
  /** The retention of single organizations by slug. */
  readonly organizations?: Readonly<Record<string, number>> | undefined;
}

/** `GOVERNANCE 400 acme=3650,beta=90` */
export function renderLock({ mode, retention, organizations = {} }: ArchiveLock): string {
  const own = Object.entries(organizations).map(([slug, ms]) => `${slug}=${Math.ceil(ms / DAY_MS)}`);
  const parts = [
    mode.toUpperCase(),
    String(Math.ceil(retention / DAY_MS)),
    ...(own.length === 0 ? [] : [own.join(',')]),
  ];
  return parts.join(' ');
}

/**
 * The longest retention among those of the organizations; that of all others where there is none. Undefined for another text: a shorter lock
 * than was meant is worse than none.
 */
export function parseLock(text: string): ChooseLock | undefined {
  const [, mode, days, list = ''] = LOCK.exec(text) ?? [];
  if (mode === undefined || days === undefined) return undefined;
  const own = new Map(
    list.split(',').flatMap((one) => {
      const [slug = '', ownDays] = one.split('=');
      return ownDays === undefined ? [] : [[slug, Number(ownDays)] as const];
    }),
  );
  return (organizations, nowMs) => {
    const named = [...organizations].map((slug) => own.get(slug) ?? Number(days));
    const longest = named.length === 0 ? Number(days) : Math.max(...named);
    return { mode: mode as 'GOVERNANCE' | 'COMPLIANCE', untilMs: nowMs + longest * DAY_MS };
  };
}
