// The frame of every page: menu, organization, stack and theme.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { ConsoleSession } from '../cli/console/api.ts';
import { PAGES, type PageName, pathTo } from './data/paths.ts';
import { readTheme, setTheme, type Theme } from './data/theme.ts';
import type { OrganizationValue } from './data/values.ts';
import icon from './icon.svg';
import { Icon } from './parts/icon.tsx';
import { Badge } from './parts/layout.tsx';

type KnownOrganization = Pick<OrganizationValue, 'organization'> & Partial<OrganizationValue>;

interface ShellProps {
  readonly session: ConsoleSession;
  /** Those that are known: the menu leads to the pages of the first one where the address names none. */
  readonly organizations: readonly KnownOrganization[];
  readonly children: ComponentChildren;
}

export function Shell({ session, organizations, children }: ShellProps) {
  const { path } = useLocation();
  const [, , named, current] = path.split('/');
  const organization = named ?? organizations[0]?.organization ?? '';
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  useShortcuts(organization);
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <header class="bar">
        <button
          type="button"
          class="quiet menu-button"
          aria-expanded={isOpen}
          aria-controls="menu"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="menu" />
          <span class="hidden">Menu</span>
        </button>
        <a class="brand" href="/">
          <img src={icon} alt="" width="22" height="22" />
          Neuron
        </a>
        {current !== undefined && (
          <OrganizationChoice organization={organization} organizations={organizations} current={current} />
        )}
      </header>
      <nav id="menu" class={isOpen ? 'menu open' : 'menu'} aria-label="Pages">
        <Menu organization={organization} path={path} current={current} onChoose={() => setOpen(false)} />
        <StackFacts session={session} />
      </nav>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

/** Before an organization is known, links to its pages would lead nowhere. */
function Menu({
  organization,
  path,
  current,
  onChoose,
}: {
  readonly organization: string;
  readonly path: string;
  readonly current: string | undefined;
  readonly onChoose: () => void;
}) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click.
    <ul onClick={onChoose}>
      <li>
        <a href="/" aria-current={path === '/' ? 'page' : undefined}>
          <Icon name="all" />
          All organizations
        </a>
      </li>
      {(organization === '' ? [] : PAGES).map(({ name, title, key }) => (
        <li key={name}>
          <a
            href={pathTo(organization, name)}
            aria-current={current === name ? 'page' : undefined}
            title={`Press g, then ${key}`}
          >
            <Icon name={name} />
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
}

function OrganizationChoice({
  organization,
  organizations,
  current,
}: {
  readonly organization: string;
  readonly organizations: readonly KnownOrganization[];
  readonly current: string | undefined;
}) {
  const { route } = useLocation();
  const page = PAGES.find(({ name }) => name === current)?.name ?? 'overview';
  const isPaused = organizations.some((one) => one.organization === organization && one.paused);
  return (
    <div class="organization">
      <label class="hidden" for="organization">
        Organization
      </label>
      <select
        id="organization"
        value={organization}
        onChange={({ currentTarget }) => route(pathTo(currentTarget.value, page))}
      >
        {/* Only the first of thousands are known here. */}
        {organization !== '' && !organizations.some((one) => one.organization === organization) && (
          <option value={organization}>{organization}</option>
        )}
        {organizations.map(({ organization: slug, name }) => (
          <option key={slug} value={slug}>
            {name === undefined || name === slug ? slug : `${name} (${slug})`}
          </option>
        ))}
      </select>
      {isPaused && <Badge tone="warn">paused</Badge>}
    </div>
  );
}

function StackFacts({ session }: { readonly session: ConsoleSession }) {
  const [theme, choose] = useState(readTheme());
  return (
    <div class="stack">
      <label for="theme">Theme</label>
      <select
        id="theme"
        value={theme}
        onChange={({ currentTarget }) => {
          setTheme(currentTarget.value as Theme);
          choose(currentTarget.value as Theme);
        }}
      >
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
      <dl>
        <dt>Stack</dt>
        <dd>{session.stack}</dd>
        <dt>Where</dt>
        <dd>{session.isLocal ? 'this machine' : (session.region ?? 'AWS')}</dd>
        <dt>Version</dt>
        <dd>{session.version}</dd>
      </dl>
    </div>
  );
}

/** `g` and a letter go to a page, `/` to the first field, except while typing. */
function useShortcuts(organization: string): void {
  const { route } = useLocation();
  const isGoing = useRef(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      const page: PageName | undefined = PAGES.find(({ key }) => key === event.key)?.name;
      if (isGoing.current && page !== undefined && organization !== '') route(pathTo(organization, page));
      isGoing.current = event.key === 'g';
      if (event.key !== '/') return;
      event.preventDefault();
      document.querySelector<HTMLElement>('main input, main select')?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [organization, route]);
}
