/** Search, filters, sort, columns, saved views and export of a list. */
import { lazy, type ReactNode, Suspense, useId } from 'react'
import { Button } from '../components/Button.tsx'
import { FilterSelect } from '../components/FilterSelect.tsx'
import { Menu } from '../components/Menu.tsx'
import { TypedInput } from '../components/TypedInput.tsx'
import { type QueryParameter, useDocument } from '../data/document.ts'
import type { ListSearch } from '../data/list.ts'
import { inSentence, type Resource, type Row, type Scope, type States, useResources } from '../data/resources.ts'
import type { JsonSchema } from '../data/schema.ts'
import { useTexts, wordOf } from '../locales/index.ts'
import { exportCsv } from './csv-export.ts'
import type { useFilterChange } from './filters.ts'
import { labelIn } from './generic.ts'
import { SavedViews } from './SavedViews.tsx'
import { useSources } from './sources.ts'

const RelationInput = lazy(() => import('./RelationInput.tsx'))

interface Props {
  readonly resource: Resource
  readonly scope: Scope
  readonly search: ListSearch
  /** Parameters that filter by one value each. */
  readonly filters: readonly QueryParameter[]
  /** Columns that the list shows. */
  readonly shown: readonly string[]
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
  shown,
  sorts,
  sample,
  onChange,
  onFilter,
  conditions,
  children,
}: Props) {
  const t = useTexts()
  const { data: document } = useDocument()
  const collection = document?.collection(resource.operations.list.id)
  const sourceOf = useSources()
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
          name={propertyOf(name)}
          label={labelIn(resource, name)}
          options={
            schema.type === 'boolean'
              ? [
                  ['true', t('yes')],
                  ['false', t('no')],
                ]
              : valuesOf(schema, resource.states[propertyOf(name)])?.map(value => [
                  value,
                  wordOf(value, resource.states[propertyOf(name)]),
                ])
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
          onPress={() => exportCsv({ resource, search, scope, columns: shown, collection, sourceOf, t })}
        />
      </div>
    </div>
  )
}

/** The values of a parameter; for a key, those that have words. */
const valuesOf = ({ enum: values }: JsonSchema, states: States | undefined): readonly string[] | undefined =>
  values?.map(String) ?? (states && Object.keys(states))

/** `filter[status]` → `status`. */
const propertyOf = (filter: string): string => filter.replace(/^filter\[(.+)\]$/, '$1')

/** Filters by an ID → the resource whose records are chosen from. */
const CHOSEN: Readonly<Record<string, string>> = {
  tenantId: 'identity.workspaces',
  userId: 'identity.people',
  endpoint_id: 'webhooks.endpoints',
}

interface FilterProps {
  readonly name: string
  readonly label: string
  /** Values with their words; undefined for a text. */
  readonly options: readonly (readonly [value: string, word: string])[] | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}

function Filter({ name, options, ...props }: FilterProps) {
  const id = useId()
  const { data: resources = [] } = useResources()
  const to = resources.some(resource => resource.id === CHOSEN[name]) ? CHOSEN[name] : undefined
  const { label, value, onChange } = props
  if (to)
    return (
      <div className="filter">
        <label htmlFor={id}>{label}</label>
        <Suspense>
          <RelationInput
            id={id}
            label={label}
            value={value}
            field={{ type: 'reference', reference: { to, many: false }, operators: [], sortable: false }}
            onChange={chosen => onChange(String(chosen))}
          />
        </Suspense>
      </div>
    )
  return options ? <FilterSelect options={options} {...props} /> : <TypedInput type="text" {...props} />
}
