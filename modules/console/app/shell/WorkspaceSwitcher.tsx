import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Button } from '../components/Button.tsx'
import { Menu } from '../components/Menu.tsx'
import { chooseTenant, tenantStore } from '../data/api.ts'
import { useMe, useWorkspaces } from '../data/session.ts'
import { useStore } from '../data/store.ts'
import { useTexts } from '../locales/index.ts'

export function WorkspaceSwitcher() {
  const t = useTexts()
  const client = useQueryClient()
  const router = useRouter()
  const chosen = useStore(tenantStore)
  const { data: me } = useMe()
  const { data: workspaces = [] } = useWorkspaces()
  const current = me?.workspace?.id ?? chosen
  const name = me?.workspace?.name ?? workspaces.find(({ id }) => id === current)?.name ?? t('noWorkspace')
  const select = ([id]: readonly string[]) => {
    if (id === undefined || id === current) return
    chooseTenant(id)
    // Records of the former workspace must not stay on the screen.
    client.clear()
    router.navigate({ to: '/' })
  }
  return (
    <Menu
      label={t('chooseWorkspace')}
      trigger={
        <Button kind="quiet" icon="building-2" aria-label={`${t('workspace')}: ${name}`}>
          {name}
        </Button>
      }
      items={workspaces.map(workspace => ({ id: workspace.id, text: workspace.name }))}
      selection="single"
      selected={current === null ? [] : [current]}
      onSelect={select}
    />
  )
}
