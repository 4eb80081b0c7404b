import { useState } from 'react'
import { type ListOf, MAX_PAGE, useGet } from '../../data/get.ts'
import { usePermissions } from '../../data/session.ts'
import { useStore } from '../../data/store.ts'
import { languageStore } from '../../locales/index.ts'
import { areaTitle } from '../../shell/areas.ts'
import { texts } from './texts.ts'

interface Permission {
  readonly key: string
  readonly title: string
  readonly scope: string
  readonly module: string
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
  const { held, may } = usePermissions()
  const [filter, setFilter] = useState('')
  const { data } = useGet<ListOf<Permission>>('/v1/identity/permissions', {
    query: { limit: MAX_PAGE },
    isEnabled: held.length > 0,
  })
  const grantable = (data?.data ?? []).filter(({ scope }) => scope === 'tenant')
  const listed = [...new Set(grantable.map(({ module }) => module))].map(
    (id): Group => ({ id, title: areaTitle(id), permissions: grantable.filter(({ module }) => module === id) }),
  )
  const known = new Set(listed.flatMap(({ permissions }) => permissions.map(({ key }) => key)))
  // Patterns such as `content.*`, and permissions of modules that the person may not see.
  const others = [...new Set([...chosen, ...(listed.length === 0 ? held : [])])].filter(key => !known.has(key))
  const groups = [
    ...(others.length > 0
      ? [
          {
            id: '',
            title: t.others,
            permissions: others.map(key => ({ key, title: key, scope: 'tenant', module: '' })),
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
                  disabled={isReadOnly || (!may(permission.key) && !chosen.includes(permission.key))}
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
