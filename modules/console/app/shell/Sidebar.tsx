import { Link, useRouterState } from '@tanstack/react-router'
import { memo, useDeferredValue, useEffect, useRef } from 'react'
import { Icon } from '../components/Icon.tsx'
import { useTexts } from '../locales/index.ts'
import { type Area, useAreas, useAreasPending } from './areas.ts'
import { EntryList } from './EntryList.tsx'
import styles from './Sidebar.module.css'

export function Sidebar({ isOpen }: { readonly isOpen: boolean }) {
  const t = useTexts()
  const loaded = useAreas()
  // Rendered in small steps, so that a long navigation doesn't block the first screen.
  const areas = useDeferredValue(loaded)
  const arePending = useAreasPending()
  const nav = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isReady = areas.length > 0
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
      <Link to="/" activeOptions={{ exact: true }}>
        <Icon name="house" />
        {t('home')}
      </Link>
      <Areas areas={areas} />
    </nav>
  )
}

const Areas = memo(({ areas }: { readonly areas: readonly Area[] }) =>
  areas.map(({ id, title, entries }) => (
    <div key={id}>
      <h2>{title}</h2>
      <EntryList entries={entries} />
    </div>
  )),
)
