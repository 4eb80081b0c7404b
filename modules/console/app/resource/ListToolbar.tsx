/** Search, filters, sort, columns, saved views and export of a list. */
import type { ReactNode } from 'react'
import { Button } from '../components/Button.tsx'
import { FilterSelect } from '../components/FilterSelect.tsx'
import { Menu } from '../components/Menu.tsx'
import { toast } from '../components/Toast.tsx'
import { TypedInput } from '../components/TypedInput.tsx'
import { reportFailure } from '../data/action.ts'
import { toCsv } from '../data/csv.ts'
import type { QueryParameter } from '../data/document.ts'
import { saveFile } from '../data/download.ts'
import { type ListSearch, loadAll } from '../data/list.ts'
import { inSentence, type Resource, type Row, type Scope, valueAt } from '../data/resources.ts'
import { useTexts, wordOf } from '../locales/index.ts'
import type { useFilterChange } from './filters.ts'
import { labelIn } from './generic.ts'
import { SavedViews } from './SavedViews.tsx'

interface Props {
  readonly resource: Resource
  readonly scope: Scope
  readonly search: ListSearch
  /** Parameters that filter by one value each. */
  readonly filters: readonly QueryParameter[]
  /** Values of the parameter that sorts; empty if the headers of the columns sort. */
  readonly sorts: readonly string[]
  /** A loaded row, whose properties can become columns. */
  readonly sample: Row | undefined
  readonly onChange: (next: Partial<ListSearch>) => void
  readonly onFilter: ReturnType<typeof useFilterChange>
  /** Filters with operators, of a collection. */
  readonly conditions: ReactNode
  /** More buttons. */
  readonly children?: ReactNode
}

export function ListToolbar({
  resource,
  scope,
  search,
  filters,
  sorts,
  sample,
  onChange,
  onFilter,
  conditions,
  children,
}: Props) {
  const t = useTexts()
  const shown = search.columns ?? resource.columns
  const available = [...new Set([...resource.columns, ...Object.keys(sample ?? {})])]
  return (
    <div className="toolbar">
      {resource.search !== null && (
        <TypedInput
          label={t('searchIn', { title: inSentence(resource.title) })}
          type="search"
          value={search.q ?? ''}
          onChange={q => onFilter({ q })}
        />
      )}
      {filters.map(({ name, schema }) => (
        <Filter
          key={name}
          label={labelIn(resource, name)}
          options={
            schema.type === 'boolean'
              ? [
                  ['true', t('yes')],
                  ['false', t('no')],
                ]
              : schema.enum?.map(value => [String(value), wordOf(String(value), resource.states[propertyOf(name)])])
          }
          value={search.filters?.[name] ?? ''}
          onChange={value => onFilter({ [name]: value })}
        />
      ))}
      {conditions}
      {sorts.length > 0 && (
        <FilterSelect
          label={t('sort')}
          value={search.sort ?? ''}
          all={t('sortDefault')}
          options={sorts.map(sort => [
            sort,
            `${labelIn(resource, sort.replace(/^-/, ''))} ${sort.startsWith('-') ? '↓' : '↑'}`,
          ])}
          onChange={sort => onChange({ sort: sort || undefined } as Partial<ListSearch>)}
        />
      )}
      <div className="toolbar-end">
        {children}
        <SavedViews resource={resource} search={search} onChange={onChange} />
        <Menu
          label={t('columns')}
          trigger={<Button icon="columns-3" label={t('columns')} kind="quiet" />}
          items={available.map(name => ({ id: name, text: labelIn(resource, name) }))}
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
    reportFailure(error)
  }
}

/** `filter[status]` → `status`. */
const propertyOf = (filter: string): string => filter.replace(/^filter\[(.+)\]$/, '$1')

interface FilterProps {
  readonly label: string
  /** Values with their words; undefined for a text. */
  readonly options: readonly (readonly [value: string, word: string])[] | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}

const Filter = ({ options, ...props }: FilterProps) =>
  options ? <FilterSelect options={options} {...props} /> : <TypedInput type="text" {...props} />
