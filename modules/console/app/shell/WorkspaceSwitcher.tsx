import { useRouter } from '@tanstack/react-router'
import { CONSOLE, workspace } from '../browser/document.ts'
import { Button } from '../components/Button.tsx'
import { LazyMenu } from '../components/LazyMenu.tsx'
import { useMe, useWorkspaces } from '../data/session.ts'
import { useTexts } from '../locales/index.ts'

export function WorkspaceSwitcher() {
  const t = useTexts()
  const router = useRouter()
  const { data: me, isPending } = useMe()
  const { data: workspaces = [] } = useWorkspaces()
  const name = me?.workspace?.name ?? (isPending ? '' : t('noWorkspace'))
  const select = ([id]: readonly string[]) => {
    const chosen = workspaces.find(other => other.id === id)
    if (!chosen || id === workspace?.id) return
    // Another document: nothing of the former workspace stays. Unsaved changes can stop the navigation.
    router.navigate({ href: `${CONSOLE}/${chosen.slug}`, reloadDocument: true })
  }
  return (
    <LazyMenu
      label={t('chooseWorkspace')}
      trigger={
        <Button kind="quiet" icon="building-2" aria-label={`${t('workspace')}: ${name}`}>
          {name}
        </Button>
      }
      items={workspaces.map(({ id, name: text }) => ({ id, text }))}
      selection="single"
      selected={workspace ? [workspace.id] : []}
      onSelect={select}
    />
  )
}
