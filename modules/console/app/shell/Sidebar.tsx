import { Link, useRouterState } from '@tanstack/react-router'
import { memo, type ReactNode, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { BASE } from '../browser/document.ts'
import { useStore } from '../browser/store.ts'
import { readOfTab, writeOfTab } from '../browser/stored.ts'
import { Icon } from '../components/Icon.tsx'
import { useIsNarrow } from '../components/media.ts'
import { COLLECTIONS, PLATFORM } from '../data/groups.ts'
import { pinStore, togglePin, visitStore } from '../data/visits.ts'
import { useTexts } from '../locales/index.ts'
import { type Area, type Entry, groupAt, useAreas, useAreasPending } from './areas.ts'
import styles from './Sidebar.module.css'

/** Without those that are pinned or on the screen. */
const MAX_RECENT = 5
const RECENT = 'recent'

/** Whether the person opened or closed a group, until the tab is closed. */
type Toggled = Readonly<Record<string, boolean>>
const TOGGLED = 'groups'

export function Sidebar({ isOpen }: { readonly isOpen: boolean }) {
  const t = useTexts()
  const loaded = useAreas()
  // Rendered in small steps, so that a long navigation doesn't block the first screen.
  const areas = useDeferredValue(loaded)
  const arePending = useAreasPending()
  const nav = useRef<HTMLElement>(null)
  const address = useRouterState({ select: ({ location }) => location.pathname })
  const path = address.startsWith(BASE) ? address.slice(BASE.length) : address
  const current = groupAt(areas, path)
  const [toggled, setToggled] = useState(() => readOfTab<Toggled>(TOGGLED, {}))
  const [before, setBefore] = useState(current)
  const toggle = (id: string, isNowOpen: boolean) => {
    const next = { ...toggled, [id]: isNowOpen }
    setToggled(next)
    writeOfTab(TOGGLED, next)
  }
  // A group that was closed opens again with its next screen.
  if (current !== undefined && current !== before) {
    setBefore(current)
    if (toggled[current] === false) toggle(current, true)
  }
  const isNarrow = useIsNarrow()
  const isShown = isOpen || !isNarrow
  const isReady = isShown && areas.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link of the path is known once the areas are shown
  useEffect(() => {
    nav.current?.querySelector('.active')?.scrollIntoView({ block: 'nearest' })
  }, [path, isReady])
  return (
    <nav
      ref={nav}
      className={styles.sidebar}
      data-open={isOpen || undefined}
      aria-label={t('navigation')}
      aria-busy={arePending || areas !== loaded}
    >
      {isShown && (
        <>
          <Link className={styles.link} to="/" activeOptions={{ exact: true }}>
            <Icon name="house" />
            <span>{t('home')}</span>
          </Link>
          <Pinned areas={areas} />
          {areas.map(area => (
            <Listed
              key={area.id}
              area={area}
              isOpen={toggled[area.id] ?? area.id === current}
              onToggle={isNowOpen => toggle(area.id, isNowOpen)}
            />
          ))}
          <Recent
            areas={areas}
            path={path}
            isOpen={toggled[RECENT] ?? false}
            onToggle={isNowOpen => toggle(RECENT, isNowOpen)}
          />
        </>
      )}
    </nav>
  )
}

interface ListedProps {
  readonly area: Area
  readonly isOpen: boolean
  readonly onToggle: (isNowOpen: boolean) => void
}

/** Collections and groups of one entry are rows without a heading. */
function Listed({ area: { id, title, icon, entries }, isOpen, onToggle }: ListedProps) {
  if (id === COLLECTIONS || (entries.length === 1 && id !== PLATFORM))
    return (
      <ul className={styles.rows}>
        <Rows entries={entries} hasIcons />
      </ul>
    )
  return (
    <Group title={title} icon={icon} isOpen={isOpen} onToggle={onToggle}>
      <Rows entries={entries} />
    </Group>
  )
}

interface GroupProps extends Omit<ListedProps, 'area'> {
  readonly title: string
  readonly icon: string
  readonly children: ReactNode
}

function Group({ title, icon, isOpen, onToggle, children }: GroupProps) {
  const id = useId()
  return (
    <div className={styles.group}>
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => onToggle(!isOpen)}>
        <Icon name={icon} />
        <span>{title}</span>
        <Icon name="chevron-right" size={14} />
      </button>
      <ul id={id} className={styles.rows} data-within hidden={!isOpen}>
        {children}
      </ul>
    </div>
  )
}

interface RowsProps {
  readonly entries: readonly Entry[]
  readonly hasIcons?: boolean
}

const Rows = memo(({ entries, hasIcons }: RowsProps) =>
  entries.map(entry => <Row key={entry.id} entry={entry} hasIcon={hasIcons ?? false} />),
)

function Row({
  entry: { id, title, icon, path, isPage },
  hasIcon,
}: {
  readonly entry: Entry
  readonly hasIcon: boolean
}) {
  const t = useTexts()
  const isPinned = useStore(pinStore).includes(id)
  const content = (
    <>
      {hasIcon && <Icon name={icon} />}
      <span>{title}</span>
    </>
  )
  return (
    <li>
      {isPage ? (
        <a className={styles.link} href={path}>
          {content}
        </a>
      ) : (
        <Link className={styles.link} to={path}>
          {content}
        </Link>
      )}
      <button
        type="button"
        className={styles.pin}
        aria-pressed={isPinned}
        aria-label={t(isPinned ? 'unpin' : 'pin', { title })}
        title={t(isPinned ? 'unpin' : 'pin', { title })}
        onClick={() => togglePin(id)}
      >
        <Icon name={isPinned ? 'pin-off' : 'pin'} size={14} />
      </button>
    </li>
  )
}

/** They stay in their group, too: the order of the navigation never changes. */
function Pinned({ areas }: { readonly areas: readonly Area[] }) {
  const t = useTexts()
  const pins = useStore(pinStore)
  const entries = areas.flatMap(area => area.entries)
  const pinned = pins.flatMap(id => entries.find(entry => entry.id === id) ?? [])
  if (pinned.length === 0) return null
  return (
    <ul className={styles.rows} aria-label={t('pinned')} data-pinned>
      <Rows entries={pinned} hasIcons />
    </ul>
  )
}

interface RecentProps extends Omit<ListedProps, 'area'> {
  readonly areas: readonly Area[]
  readonly path: string
}

function Recent({ areas, path, isOpen, onToggle }: RecentProps) {
  const t = useTexts()
  const visits = useStore(visitStore)
    .filter(visit => visit.path !== path)
    .slice(0, MAX_RECENT)
  if (visits.length === 0 || areas.length === 0) return null
  return (
    <Group title={t('recent')} icon="history" isOpen={isOpen} onToggle={onToggle}>
      {visits.map(visit => (
        <li key={visit.path}>
          <Link className={styles.link} to={visit.path} activeProps={{ className: '' }}>
            <span>{visit.title}</span>
          </Link>
        </li>
      ))}
    </Group>
  )
}
