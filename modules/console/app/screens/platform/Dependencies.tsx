/** Which ports modules use of each other, or which events they listen to. */

import { useMemo } from 'react'
import {
  areaCrumbs,
  type Column,
  EmptyState,
  FilterSelect,
  ListContent,
  Page,
  ScreenLink,
  Table,
  useFilterChange,
  useGet,
  useScreenTexts,
  useSearch,
} from '../../public.ts'
import { eventRelations, modulePath, portRelations, type Relation } from './dependencies.ts'
import { dependencyTexts } from './dependency-texts.ts'
import './platform.css'

export default function Dependencies() {
  const t = useScreenTexts(dependencyTexts)
  const show = useFilterChange()
  const { filters = {} } = useSearch()
  const list = useGet('/v1/platform/modules')
  const modules = useMemo(() => list.data?.data.toSorted((a, b) => (a.key < b.key ? -1 : 1)) ?? [], [list.data])
  const view = filters.show === 'events' ? 'events' : 'ports'
  const selected = modules.find(({ key }) => key === filters.module)?.key ?? ''
  const relations = useMemo(() => (view === 'events' ? eventRelations : portRelations)(modules), [modules, view])
  const rows = relations.filter(({ from, to }) => selected === '' || from === selected || to === selected)
  const columns: readonly Column<Relation>[] = [
    { id: 'from', title: t.module, cell: ({ from }) => <ModuleLink module={from} /> },
    { id: 'kind', title: t.relation, cell: ({ kind }) => t[kind] },
    { id: 'name', title: view === 'events' ? t.eventType : t.port, cell: ({ name }) => <code>{name}</code> },
    { id: 'to', title: t.of, cell: ({ to }) => <ModuleLink module={to} /> },
  ]
  return (
    <Page title={t.dependencies} crumbs={areaCrumbs('platform')}>
      <p className="lead">{view === 'events' ? t.hintEvents : t.hint}</p>
      <search className="toolbar">
        <FilterSelect
          label={t.show}
          value={view}
          all={null}
          options={[
            ['ports', t.ports],
            ['events', t.events],
          ]}
          onChange={chosen => show({ show: chosen === 'events' ? chosen : '' })}
        />
        <FilterSelect
          label={t.module}
          value={selected}
          all={t.noModule}
          options={modules.map(({ key }) => [key, key])}
          onChange={chosen => show({ module: chosen })}
        />
      </search>
      <ListContent list={list} isEmpty={modules.length === 0} empty={<EmptyState icon="blocks" title={t.none} />}>
        {rows.length === 0 ? (
          <EmptyState icon="git-branch" title={t.none} text={selected === '' ? t.noneText : t.noneOfModule} />
        ) : (
          <Table
            label={t.connections}
            columns={columns}
            rows={rows}
            rowKey={({ from, kind, name }) => `${from} ${kind} ${name}`}
            rowLabel={({ from, name }) => `${from} ${name}`}
            hasMore={false}
            onLoadMore={() => undefined}
          />
        )}
      </ListContent>
    </Page>
  )
}

const ModuleLink = ({ module }: { readonly module: string }) => (
  <ScreenLink className="row-link" to={modulePath(module)}>
    {module}
  </ScreenLink>
)
