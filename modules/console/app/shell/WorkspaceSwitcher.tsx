import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Button } from '../components/Button.tsx'
import { LazyMenu } from '../components/LazyMenu.tsx'
import { chooseTenant, tenantStore } from '../data/api.ts'
import { useMe, useWorkspaces } from '../data/session.ts'
import { useStore } from '../data/store.ts'
import { useTexts } from '../locales/index.ts'

export function WorkspaceSwitcher() {
  const t = useTexts()
  const client = useQueryClient()
  const router = useRouter()
  const chosen = useStore(tenantStore)
  const { data: me, isPending } = useMe()
  const { data: workspaces = [] } = useWorkspaces()
  const current = me?.workspace?.id ?? chosen
  const name =
    me?.workspace?.name ?? workspaces.find(({ id }) => id === current)?.name ?? (isPending ? '' : t('noWorkspace'))
  const wanted = useRef<{ readonly id: string; readonly mark: string }>(undefined)
  const mark = useRouterState({
    select: ({ location }) => Reflect.get(location.state, 'workspaceMark') as string | undefined,
  })
  useEffect(() => {
    if (mark === undefined || mark !== wanted.current?.mark) return
    chooseTenant(wanted.current.id)
    wanted.current = undefined
    // Records of the former workspace must not stay on the screen.
    client.clear()
  }, [mark, client])
  const select = ([id]: readonly string[]) => {
    if (id === undefined || id === current) return
    // Unsaved changes can stop the navigation. The workspace changes when the marked entry of the history is reached.
    wanted.current = { id, mark: String(performance.now()) }
    router.navigate({ to: '/', state: { workspaceMark: wanted.current.mark } as never })
  }
  return (
    <LazyMenu
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
