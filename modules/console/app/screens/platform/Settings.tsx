/** Environment variables and options of modules, with the values in use. */
import { useSearch } from '@tanstack/react-router'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { FilterSelect } from '../../components/FilterSelect.tsx'
import { ListContent } from '../../components/ListContent.tsx'
import { Page } from '../../components/Page.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { TypedInput } from '../../components/TypedInput.tsx'
import { useGet } from '../../data/get.ts'
import { useScreenTexts, useTexts } from '../../locales/index.ts'
import { useFilterChange } from '../../resource/filters.ts'
import { areaCrumbs } from '../../resource/generic.ts'
import type { ListSearch } from '../../router.tsx'
import './platform.css'
import { texts } from './texts.ts'

interface Setting {
  readonly id: string
  readonly owner: string
  readonly name: string
  readonly description: string | null
  readonly value: unknown
  readonly source: 'environment' | 'recipe' | 'default'
  readonly secret: boolean
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const matches = ({ id, description, value }: Setting, q: string): boolean =>
  `${id} ${description ?? ''} ${textOf(value)}`.toLowerCase().includes(q.toLowerCase())

export default function Settings() {
  const t = useTexts()
  const c = useScreenTexts(texts)
  const show = useFilterChange()
  const { q = '', filters = {} } = useSearch({ strict: false }) as ListSearch
  const { source = '', owner = '' } = filters
  const list = useGet<{ readonly data: readonly Setting[] }>('/v1/platform/settings')
  const all = list.data?.data ?? []
  const rows = all.filter(
    setting =>
      (source === '' || setting.source === source) && (owner === '' || setting.owner === owner) && matches(setting, q),
  )
  const sources = { environment: c.fromEnvironment, recipe: c.fromRecipe, default: c.fromDefault }
  const owners = [...new Set(all.map(setting => setting.owner))].sort()
  const columns: readonly Column<Setting>[] = [
    { id: 'name', title: c.setting, cell: ({ id }) => <code>{id}</code> },
    {
      id: 'value',
      title: c.value,
      cell: ({ value }) => (value === null ? <span className="muted">–</span> : <code>{textOf(value)}</code>),
    },
    { id: 'source', title: c.source, cell: each => <Badge text={each.source} label={sources[each.source]} /> },
    { id: 'owner', title: c.owner, cell: each => each.owner },
    {
      id: 'description',
      title: c.description,
      cell: ({ description }) => <span title={description ?? undefined}>{description ?? '–'}</span>,
    },
  ]
  return (
    <Page title={c.settings} crumbs={areaCrumbs('platform')}>
      <p className="lead">{c.settingsHint}</p>
      <search className="toolbar">
        <TypedInput label={c.findSetting} value={q} onChange={text => show({ q: text })} />
        <FilterSelect
          label={c.source}
          value={source}
          options={Object.entries(sources)}
          onChange={chosen => show({ source: chosen })}
        />
        <FilterSelect
          label={c.owner}
          value={owner}
          options={owners.map(each => [each, each])}
          onChange={chosen => show({ owner: chosen })}
        />
      </search>
      <ListContent
        list={list}
        isEmpty={rows.length === 0}
        empty={
          <EmptyState icon="search" title={t('emptyFiltered')} text={t('emptyFilteredText')}>
            <Button onPress={() => show({ q: '', source: '', owner: '' })}>{t('clearFilters')}</Button>
          </EmptyState>
        }
      >
        <Table
          label={c.settings}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          rowLabel={({ id }) => id}
          hasMore={false}
          onLoadMore={() => undefined}
        />
      </ListContent>
    </Page>
  )
}
