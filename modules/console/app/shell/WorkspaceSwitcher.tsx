import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { folded } from '../../../../kernel/base/folding.ts'
import { CONSOLE, workspace } from '../browser/document.ts'
import { Button } from '../components/Button.tsx'
import { Dialog } from '../components/Dialog.tsx'
import { Icon } from '../components/Icon.tsx'
import { LazyMenu } from '../components/LazyMenu.tsx'
import type { TenantList } from '../data/api-types.ts'
import { useMe, useWorkspaces } from '../data/session.ts'
import { useTexts } from '../locales/index.ts'
import styles from './WorkspaceSwitcher.module.css'

type Workspace = TenantList['data'][number]

/** More are searched. */
const MAX_MENU = 8

export function WorkspaceSwitcher() {
  const t = useTexts()
  const router = useRouter()
  const [isSearching, setSearching] = useState(false)
  const { data: me, isPending } = useMe()
  const { data: workspaces = [] } = useWorkspaces()
  const name = me?.workspace?.name ?? (isPending ? '' : t('noWorkspace'))
  const open = (chosen: Workspace | undefined) => {
    if (!chosen || chosen.id === workspace?.id) return
    // Another document: nothing of the former workspace stays. Unsaved changes can stop the navigation.
    router.navigate({ href: `${CONSOLE}/${chosen.slug}`, reloadDocument: true })
  }
  const label = `${t('workspace')}: ${name}`
  if (workspaces.length > MAX_MENU)
    return (
      <>
        <Button
          kind="quiet"
          icon="building-2"
          aria-label={label}
          aria-haspopup="dialog"
          onPress={() => setSearching(true)}
        >
          {name}
        </Button>
        <Dialog title={t('chooseWorkspace')} isOpen={isSearching} onClose={() => setSearching(false)}>
          <Search workspaces={workspaces} onOpen={open} />
        </Dialog>
      </>
    )
  return (
    <LazyMenu
      label={t('chooseWorkspace')}
      trigger={
        <Button kind="quiet" icon="building-2" aria-label={label}>
          {name}
        </Button>
      }
      items={workspaces.map(({ id, name: text }) => ({ id, text }))}
      selection="single"
      selected={workspace ? [workspace.id] : []}
      onSelect={([id]) => open(workspaces.find(other => other.id === id))}
    />
  )
}

interface SearchProps {
  readonly workspaces: readonly Workspace[]
  readonly onOpen: (chosen: Workspace | undefined) => void
}

/** Enter opens the first one. */
function Search({ workspaces, onOpen }: SearchProps) {
  const t = useTexts()
  const [query, setQuery] = useState('')
  const words = folded(query).split(/\s+/)
  const found = workspaces.filter(({ name, slug }) => words.every(word => folded(`${name} ${slug}`).includes(word)))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onOpen(found[0])
  }
  return (
    <form className={styles.search} onSubmit={submit}>
      <input
        // biome-ignore lint/a11y/noAutofocus: the dialog opens for this field
        autoFocus
        type="search"
        aria-label={t('findWorkspace')}
        placeholder={t('findWorkspace')}
        value={query}
        onChange={event => setQuery(event.target.value)}
      />
      <ul>
        {found.map(each => (
          <li key={each.id}>
            <button
              type="button"
              aria-current={each.id === workspace?.id ? 'true' : undefined}
              onClick={() => onOpen(each)}
            >
              <span>{each.name}</span>
              {each.id === workspace?.id && <Icon name="check" />}
            </button>
          </li>
        ))}
      </ul>
      <p className="muted" role="status">
        {found.length === 0 && t('noSuchWorkspace')}
      </p>
    </form>
  )
}
