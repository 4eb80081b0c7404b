/** Search, filters, sort, columns, saved views and export of a list. */
import { useEffect, useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Menu } from '../components/Menu.tsx'
import { toast } from '../components/Toast.tsx'
import { toCsv } from '../data/csv.ts'
import type { QueryParameter } from '../data/document.ts'
import { saveFile } from '../data/download.ts'
import { loadAll } from '../data/list.ts'
import { type Resource, type Row, type Scope, valueAt } from '../data/resources.ts'
import { fieldLabel, useTexts } from '../locales/index.ts'
import type { ListSearch } from '../router.tsx'
import { SavedViews } from './SavedViews.tsx'

interface Props {
  readonly resource: Resource
  readonly scope: Scope
  readonly search: ListSearch
  readonly parameters: readonly QueryParameter[]
  /** A loaded row, whose properties can become columns. */
  readonly sample: Row | undefined
  readonly onChange: (next: Partial<ListSearch>) => void
}

/** After the last key, before the list is loaded. */
const TYPING_MS = 250

export function ListToolbar({ resource, scope, search, parameters, sample, onChange }: Props) {
  const t = useTexts()
  const filters = parameters.filter(({ name }) => resource.filters.includes(name))
  const sorts = parameters.find(({ name }) => name === resource.sort)?.schema.enum?.map(String) ?? []
  const shown = search.columns ?? resource.columns
  const available = [...new Set([...resource.columns, ...Object.keys(sample ?? {})])]
  const setFilter = (name: string, value: string) => {
    const { [name]: _, ...rest } = search.filters ?? {}
    const next = value === '' ? rest : { ...rest, [name]: value }
    onChange({ filters: Object.keys(next).length > 0 ? next : undefined } as Partial<ListSearch>)
  }
  return (
    <div className="toolbar">
      {resource.search !== null && (
        <TypedInput
          label={t('searchIn', { title: resource.title })}
          type="search"
          value={search.q ?? ''}
          onChange={q => onChange({ q: q || undefined } as Partial<ListSearch>)}
        />
      )}
      {filters.map(({ name, schema }) => (
        <Filter
          key={name}
          name={name}
          options={schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String)}
          value={search.filters?.[name] ?? ''}
          onChange={value => setFilter(name, value)}
        />
      ))}
      {sorts.length > 0 && (
        <label className="filter">
          <span>{t('sort')}</span>
          <select
            value={search.sort ?? ''}
            onChange={event => onChange({ sort: event.target.value || undefined } as Partial<ListSearch>)}
          >
            <option value="">{t('sortDefault')}</option>
            {sorts.map(sort => (
              <option key={sort} value={sort}>
                {fieldLabel(sort.replace(/^-/, ''))} {sort.startsWith('-') ? '↓' : '↑'}
              </option>
            ))}
          </select>
        </label>
      )}
      <span className="toolbar-space" />
      <SavedViews resource={resource} search={search} onChange={onChange} />
      <Menu
        label={t('columns')}
        trigger={<Button icon="columns-3" label={t('columns')} kind="quiet" />}
        items={available.map(name => ({ id: name, text: fieldLabel(name) }))}
        selection="multiple"
        selected={shown}
        onSelect={ids => ids.length > 0 && onChange({ columns: available.filter(name => ids.includes(name)) })}
      />
      <Button
        kind="quiet"
        icon="download"
        label={t('export')}
        onPress={() => exportCsv(resource, search, scope, shown, t)}
      />
    </div>
  )
}

async function exportCsv(
  resource: Resource,
  search: ListSearch,
  scope: Scope,
  columns: readonly string[],
  t: ReturnType<typeof useTexts>,
): Promise<void> {
  try {
    const { rows, isComplete } = await loadAll(resource, search, scope, () => undefined)
    const values = rows.map(row => columns.map(name => valueAt(row, name)))
    saveFile(`${resource.name}.csv`, toCsv(columns, values))
    toast(t(isComplete ? 'exported' : 'exportLimited', { count: rows.length }))
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), 'error')
  }
}

interface FilterProps {
  readonly name: string
  readonly options: readonly string[] | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}

function Filter({ name, options, value, onChange }: FilterProps) {
  const t = useTexts()
  const label = fieldLabel(name)
  if (!options) return <TypedInput label={label} type="text" value={value} onChange={onChange} />
  return (
    <label className="filter">
      <span>{label}</span>
      <select value={value} onChange={event => onChange(event.target.value)}>
        <option value="">{t('any')}</option>
        {options.map(option => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </label>
  )
}

interface TypedProps {
  readonly label: string
  readonly type: 'search' | 'text'
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Reports its text when the person pauses. */
function TypedInput({ label, type, value, onChange }: TypedProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `onChange` is no reason to wait again
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => onChange(typed), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <input
      className="filter-input"
      type={type}
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={event => setTyped(event.target.value)}
    />
  )
}
