import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../data/api.ts'
import { useMe } from '../../data/session.ts'
import { useStore } from '../../data/store.ts'
import { languageStore } from '../../locales/index.ts'
import { areaTitle } from '../../shell/areas.ts'
import { mayOpen } from '../registry.ts'
import { texts } from './texts.ts'

interface Permission {
  readonly key: string
  readonly title: string
  readonly scope: string
}
interface Group {
  readonly id: string
  readonly title: string
  readonly permissions: readonly Permission[]
}
interface Props {
  readonly chosen: readonly string[]
  readonly isReadOnly: boolean
  readonly onChange: (chosen: readonly string[]) => void
}

export function PermissionPicker({ chosen, isReadOnly, onChange }: Props) {
  const t = texts[useStore(languageStore)]
  const { data: me } = useMe()
  const held = me?.permissions ?? []
  const [filter, setFilter] = useState('')
  const { data: modules } = useQuery({
    queryKey: ['permissions'],
    queryFn: async ({ signal }) => {
      type Listed = { readonly data: readonly { readonly key: string; readonly permissions: readonly Permission[] }[] }
      return (await callApi<Listed>({ path: '/v1/platform/modules', signal })).body.data
    },
    enabled: mayOpen({ permission: 'platform.module.read' }, held, []),
    staleTime: 300_000,
  })
  const listed = (modules ?? []).flatMap(({ key, permissions }): Group[] => {
    const own = permissions.filter(({ scope }) => scope === 'tenant')
    return own.length > 0 ? [{ id: key, title: areaTitle(key), permissions: own }] : []
  })
  const known = new Set(listed.flatMap(({ permissions }) => permissions.map(({ key }) => key)))
  // Patterns such as `content.*`, and permissions of modules that the person may not see.
  const others = [...new Set([...chosen, ...(listed.length === 0 ? held : [])])].filter(key => !known.has(key))
  const groups = [
    ...(others.length > 0
      ? [
          {
            id: '',
            title: t.others,
            permissions: others.map(key => ({ key, title: key, scope: 'tenant' })),
          },
        ]
      : []),
    ...listed,
  ]
  const words = filter.trim().toLowerCase()
  const shown = groups
    .map(group => ({
      ...group,
      permissions: group.permissions.filter(({ key, title }) => `${key} ${title}`.toLowerCase().includes(words)),
    }))
    .filter(({ permissions }) => permissions.length > 0)
  const toggle = (key: string, isOn: boolean) =>
    onChange(isOn ? [...chosen, key] : chosen.filter(other => other !== key))
  return (
    <fieldset className="permission-picker">
      <legend>
        {t.permissions} <span className="muted">{t.chosen.replace('{count}', String(chosen.length))}</span>
      </legend>
      <input
        type="search"
        className="filter-input"
        aria-label={t.filter}
        placeholder={t.filter}
        value={filter}
        onChange={({ target }) => setFilter(target.value)}
      />
      {!isReadOnly && <p className="hint">{t.notHeld}</p>}
      {shown.length === 0 && <p className="muted">{t.noMatch}</p>}
      <div className="permission-groups">
        {shown.map(({ id, title, permissions }) => (
          <fieldset key={id} className="permission-group">
            <legend>{title}</legend>
            {permissions.map(permission => (
              <label key={permission.key} className="choice">
                <input
                  type="checkbox"
                  checked={chosen.includes(permission.key)}
                  disabled={
                    isReadOnly ||
                    (!mayOpen({ permission: permission.key }, held, []) && !chosen.includes(permission.key))
                  }
                  onChange={({ target }) => toggle(permission.key, target.checked)}
                />
                <span>
                  {permission.title}
                  {permission.title !== permission.key && <code>{permission.key}</code>}
                </span>
              </label>
            ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  )
}
