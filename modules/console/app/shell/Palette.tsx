/** The command palette: screens and commands by name, and records by what is in them. */

import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { folded } from '../../../../kernel/base/folding.ts'
import { hasArea, pageAddress } from '../browser/document.ts'
import { useStore } from '../browser/store.ts'
import { Dialog } from '../components/Dialog.tsx'
import { Icon } from '../components/Icon.tsx'
import { groupTitle } from '../data/groups.ts'
import { createTitle, useResources } from '../data/resources.ts'
import { mayOpen } from '../data/screens.ts'
import { useMe } from '../data/session.ts'
import { visitStore } from '../data/visits.ts'
import { inLanguage } from '../locales/dictionary.ts'
import { languageStore, type Translate, useTexts } from '../locales/index.ts'
import { recordUrl, resourcePath } from '../resource/generic.ts'
import { commands as offered } from '../screens/registry.ts'
import { entryAt, useAreas } from './areas.ts'
import styles from './Palette.module.css'
import { type Found, useFound } from './search.ts'
import { withSynonyms } from './synonyms.ts'
import { chooseTheme } from './theme.ts'

interface Command {
  readonly id: string
  readonly title: string
  readonly detail?: string
  readonly group: string
  readonly icon: string
  readonly run: () => void
}
/** More would not fit on the screen. */
const MAX_RESULTS = 50

export function Palette({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const t = useTexts()
  return (
    <Dialog title={t('palette')} isOpen={isOpen} onClose={onClose} size="large">
      <Commands onClose={onClose} />
    </Dialog>
  )
}

function Commands({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts()
  const commands = useCommands()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const recent = useRecent()
  const matching = useMemo(
    () => (query.trim() === '' ? [...recent, ...commands] : ranked(commands, query)).slice(0, MAX_RESULTS),
    [commands, recent, query],
  )
  const records = useFound(query)
  const found = [...matching, ...useFoundCommands(records, query)]
  const current = found[Math.min(active, found.length - 1)]
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setActive((active + step + found.length) % Math.max(found.length, 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(current)
    }
  }
  return (
    <div className={styles.palette}>
      <input
        // biome-ignore lint/a11y/noAutofocus: the dialog opens for this field
        autoFocus
        type="text"
        role="combobox"
        aria-label={t('searchAll')}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={current && `palette-${current.id}`}
        placeholder={t('searchAll')}
        value={query}
        onKeyDown={onKeyDown}
        onChange={event => {
          setQuery(event.target.value)
          setActive(0)
        }}
      />
      <div id="palette-list" role="listbox" aria-label={t('palette')} ref={list} tabIndex={-1}>
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
          <div
            key={command.id}
            id={`palette-${command.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === current}
            onPointerMove={() => setActive(index)}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />
            <span>{command.title}</span>
            {command.detail && <span className={`muted ${styles.detail}`}>{command.detail}</span>}
            <span className={`muted ${styles.group}`}>{command.group}</span>
          </div>
        ))}
      </div>
      <p className="muted" role="status">
        {statusOf(records, found.length === 0, query, t)}
      </p>
    </div>
  )
}

function statusOf({ groups, isPending }: Found, isEmpty: boolean, query: string, t: Translate): string {
  if (isPending) return t('paletteSearching')
  const failed = groups.filter(({ isFailed }) => isFailed).map(({ title }) => t('paletteFailed', { title }))
  return failed.join(' ') || (isEmpty ? t('paletteEmpty', { query }) : '')
}

/** Opens a found record, or the list with all of its matches. */
function useFoundCommands({ groups }: Found, query: string): readonly Command[] {
  const t = useTexts()
  const router = useRouter()
  return groups.flatMap(({ title: group, resource, results, hasMore }) => [
    ...results.map(({ id, ...found }) => ({
      ...found,
      id: `${resource.id}/${id}`,
      group,
      icon: resource.icon ?? 'table',
      run: () => router.navigate({ to: recordUrl(resource, id) }),
    })),
    ...(hasMore
      ? [
          {
            id: `${resource.id}/more`,
            title: t('paletteMore', { title: group }),
            group,
            icon: 'list-filter',
            run: () => router.navigate({ to: resourcePath(resource), search: { q: query.trim() } }),
          },
        ]
      : []),
  ])
}

/** The screens and records that were opened last. */
function useRecent(): readonly Command[] {
  const t = useTexts()
  const router = useRouter()
  const areas = useAreas()
  const visits = useStore(visitStore)
  return useMemo(
    () =>
      visits.slice(1).map(({ path, title }) => ({
        id: `recent-${path}`,
        title,
        group: t('recent'),
        icon: entryAt(areas, path)?.icon ?? 'history',
        run: () => router.navigate({ to: path }),
      })),
    [visits, areas, router, t],
  )
}

function useCommands(): readonly Command[] {
  const t = useTexts()
  const router = useRouter()
  const areas = useAreas()
  const { data: me } = useMe()
  const { data: resources = [] } = useResources()
  const language = useStore(languageStore)
  const go = (path: string, search?: object) => () => router.navigate({ to: path, ...(search && { search }) })
  const screens = areas.flatMap(({ title: group, entries }) =>
    entries.map(({ id, title, icon, path, isPage }) => ({
      id,
      title,
      group,
      icon,
      run: isPage ? () => location.assign(path) : go(path),
    })),
  )
  const own = offered
    .filter(
      command =>
        (command.isPage || hasArea(command.area)) &&
        mayOpen(command, me, resources) &&
        (command.creates === undefined ||
          resources.some(({ id, offered, operations }) => id === command.creates && offered && operations.create)),
    )
    .map(({ command, to, search, isPage, icon, area }) => ({
      id: `${to} ${command.en}`,
      title: inLanguage(command, language),
      group: groupOf(area),
      icon: icon ?? 'plus',
      run: isPage ? () => location.assign(pageAddress(to)) : go(to, search),
    }))
  const made = areas.flatMap(({ title: group, entries }) =>
    entries.flatMap(({ id, path, resource }) => [
      ...(resource?.operations.create
        ? [{ id: `${id}-new`, title: createTitle(resource, t), group, icon: 'plus', run: go(`${path}/new`) }]
        : []),
      ...(resource?.actions ?? [])
        .filter(({ on }) => on === 'list')
        .map(action => ({
          id: `${id}-${action.id}`,
          title: action.title,
          group,
          icon: 'play',
          run: go(path, { run: action.id }),
        })),
    ]),
  )
  return [
    { id: 'home', title: t('home'), group: '', icon: 'house', run: go('/') },
    ...screens,
    ...own,
    ...made,
    ...(['light', 'dark', 'system'] as const).map(theme => ({
      id: `theme-${theme}`,
      title: `${t('theme')}: ${t(theme === 'light' ? 'themeLight' : theme === 'dark' ? 'themeDark' : 'themeSystem')}`,
      group: t('theme'),
      icon: 'sliders-horizontal',
      run: () => chooseTheme(theme),
    })),
    { id: 'docs', title: t('apiReference'), group: '', icon: 'code', run: () => location.assign('/docs') },
  ]

  function groupOf(area: string): string {
    return groupTitle(resources.find(({ module }) => module === area)?.group ?? (area === 'identity' ? 'people' : area))
  }
}

/** Those that have every word of the query: first those whose names begin with it, at last those that it means. */
function ranked(commands: readonly Command[], query: string): readonly Command[] {
  const typed = folded(query.trim())
  const words = typed.split(/\s+/).filter(Boolean)
  const isIn = (text: string) => words.every(word => text.includes(word))
  const rank = ({ title: name, group }: Command): number => {
    const title = folded(name)
    const parts = title.split(/[^\p{L}\p{N}]+/u)
    if (title.startsWith(typed)) return 0
    if (words.every(word => parts.some(part => part.startsWith(word)))) return 1
    if (isIn(title)) return 2
    if (isIn(`${title} ${folded(group)}`)) return 3
    return isIn(withSynonyms(name)) ? 4 : NO_MATCH
  }
  return commands
    .map(command => ({ command, rank: rank(command) }))
    .filter(each => each.rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .map(({ command }) => command)
}
const NO_MATCH = 5
