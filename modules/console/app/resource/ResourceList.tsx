/** The list of a resource: toolbar, table, empty states. Also a tab of a parent record. */
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { SECOND } from '../../../../kernel/base/units.ts'
import { Button } from '../components/Button.tsx'
import { fitting } from '../components/column-widths.ts'
import { EmptyState, NoMatches } from '../components/EmptyState.tsx'
import { ListContent } from '../components/ListContent.tsx'
import { useIsNarrow, useWidth } from '../components/media.ts'
import { roomFor, Table } from '../components/Table.tsx'
import { type QueryParameter, useDocument } from '../data/document.ts'
import { fitsCell } from '../data/form-model.ts'
import { type ListSearch, moreOf, useRows, useTotal } from '../data/list.ts'
import { createTitle, inSentence, keyOf, labelOf, type Resource, type Row, type Scope } from '../data/resources.ts'
import type { JsonSchema } from '../data/schema.ts'
import { useMe } from '../data/session.ts'
import { fill, formatNumber, useTexts } from '../locales/index.ts'
import { useCollectionTexts } from './collection-texts.ts'
import { columnOf, editorOf, kindOf, rowSchemaOf, sortOf } from './columns.tsx'
import { useFilterChange } from './filters.ts'
import { fieldsOf, labelIn, newUrl, searchOf, statesOfRows } from './generic.ts'
import { ListToolbar } from './ListToolbar.tsx'
import { CommandRunner, type RecordCommand, RecordMenu, useRecordCommands } from './RecordActions.tsx'

const BulkEdit = lazy(() => import('./BulkEdit.tsx'))
const ConditionFilters = lazy(() => import('./ConditionFilters.tsx'))

/** Pixels of the first column on a narrow screen, where it stays in view beside the inputs. */
const NARROW_NAME_WIDTH = 132

interface Props {
  readonly resource: Resource
  readonly scope: Scope
  readonly search: ListSearch
}
interface Running {
  readonly command: RecordCommand
  readonly rows: readonly Row[]
}

export function ResourceList({ resource, scope, search }: Props) {
  const t = useTexts()
  const c = useCollectionTexts()
  const navigate = useNavigate()
  const { data: document } = useDocument()
  const { data: me } = useMe()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [running, setRunning] = useState<Running>()
  const [isEditing, setEditing] = useState(false)
  const [isBulk, setBulk] = useState(false)
  const commands = useRecordCommands(resource)
  const top = useRef<HTMLDivElement>(null)
  const isNarrow = useIsNarrow()
  const parameters = document?.queryParameters(resource.operations.list.id) ?? []
  const canLimit = parameters.some(({ name }) => name === 'limit')
  const refreshMs = resource.refreshSeconds === null ? undefined : resource.refreshSeconds * SECOND
  const collection = document?.collection(resource.operations.list.id)
  const list = useRows(resource, search, scope, canLimit, refreshMs)
  const { rows, error, hasNextPage, fetchNextPage } = list
  const total = useTotal(resource, search, scope, hasNextPage && parameters.some(canCount))
  // Filters without a value are not in the URL. They go with the filters that somebody replaces or clears.
  const [resets, setResets] = useState(0)
  const change = (next: Partial<ListSearch>) => {
    if ('filters' in next) setResets(resets + 1)
    return navigate({ to: '.', search: (before: ListSearch) => ({ ...before, ...next }), replace: true })
  }
  const filter = useFilterChange()
  // `listDeletedCourses`: the fields of a row in the trash are those of the collection.
  const trashed = document?.collection(resource.operations.list.id.replace(/^listDeleted/, 'list'))
  const { update } = resource.operations
  const fields = useMemo(
    () => (collection && document && update ? fieldsOf(resource, update.id, document, resource.fields) : []),
    [resource, collection, document, update],
  )
  const sorts = sortsOf(resource, parameters)
  const filters = parameters.filter(
    ({ name, schema }) =>
      resource.filters.includes(name) && scope[name] === undefined && (!collection || hasFew(schema)),
  )
  const editable = isEditing ? fields.filter(fitsCell) : []
  const rowSchema = document && rowSchemaOf(document.reply(resource.operations.list.id), document.schemas)
  const kinds = new Map(
    (search.columns ?? resource.columns).map(name => [
      name,
      kindOf(name, collection ?? trashed, rowSchema, document?.schemas ?? {}),
    ]),
  )
  const canSelect = commands.length > 0 || fields.length > 0
  const room = roomFor(useWidth(top), canSelect, commands.length > 0)
  const titled = [...kinds].map(([name, kind]) => ({
    name,
    kind,
    title: labelIn(resource, name),
    sort: sortOf(name, sorts, search.sort, sort => change({ sort })),
  }))
  // Columns that somebody chose are all shown.
  const shown = (search.columns || isNarrow ? titled : fitting(titled, room)).map(({ name }) => name)
  const columns = shown.map((name, index) => {
    const column = columnOf(resource, collection ?? trashed, name, index === 0, scope, kinds.get(name))
    return {
      ...column,
      ...editorOf(resource, name, editable, scope, column.cell),
      ...(isEditing && isNarrow && index === 0 && { inputWidth: NARROW_NAME_WIDTH }),
      sort: sortOf(name, sorts, search.sort, sort => change({ sort })),
    }
  })
  const isNarrowed = Boolean(search.q) || Object.keys(search.filters ?? {}).length > 0
  const chosen = rows.filter(row => selected.has(keyOf(resource, row)))
  const states = document && collection && isBulk ? statesOfRows(resource, document, chosen, me?.roles ?? []) : []
  return (
    <>
      <div ref={top} />
      <ListToolbar
        resource={resource}
        scope={scope}
        search={search}
        filters={filters}
        shown={shown}
        sorts={collection && !isNarrow ? [] : sorts}
        sample={rows[0]}
        onChange={change}
        onFilter={filter}
        conditions={
          collection && (
            <Suspense>
              <ConditionFilters
                key={resets}
                resource={resource}
                collection={collection}
                scope={scope}
                filters={search.filters ?? {}}
                hidden={filters.map(({ name }) => name)}
                onFilter={filter}
              />
            </Suspense>
          )
        }
      >
        {fields.some(fitsCell) && (
          <Button
            kind={isEditing ? 'primary' : 'quiet'}
            icon="pencil"
            label={c.editCells}
            aria-pressed={isEditing}
            onPress={() => setEditing(!isEditing)}
          />
        )}
      </ListToolbar>
      {chosen.length > 0 && (
        <div className="bulk" role="toolbar" aria-label={t('actions')}>
          <span>{t('selected', { count: chosen.length })}</span>
          {fields.length > 0 && <Button onPress={() => setBulk(true)}>{c.bulkEdit}</Button>}
          {commands
            .filter(({ appliesTo }) => chosen.every(appliesTo))
            .map(command => (
              <Button
                key={command.operation.id}
                kind={command.danger ? 'danger' : 'secondary'}
                onPress={() => setRunning({ command, rows: chosen })}
              >
                {command.title}
              </Button>
            ))}
          <Button kind="quiet" shortcut={['Esc']} onPress={() => setSelected(new Set())}>
            {t('clearSelection')}
          </Button>
        </div>
      )}
      <ListContent
        list={list}
        isEmpty={rows.length === 0}
        empty={
          <Nothing
            resource={resource}
            scope={scope}
            isNarrowed={isNarrowed}
            isTrash={trashed !== undefined && collection === undefined}
            onClear={() => change({ q: undefined, filters: undefined })}
          />
        }
      >
        <Table
          label={resource.title}
          columns={columns}
          rows={rows}
          rowKey={row => keyOf(resource, row)}
          rowLabel={row => labelOf(resource, row)}
          rowActions={
            commands.length > 0
              ? row => (
                  <RecordMenu
                    label={labelOf(resource, row)}
                    commands={commands.filter(({ appliesTo }) => appliesTo(row))}
                    onRun={command => setRunning({ command, rows: [row] })}
                  />
                )
              : undefined
          }
          selected={canSelect ? selected : undefined}
          onSelect={canSelect ? setSelected : undefined}
          isWide={isEditing}
          {...moreOf(list)}
        />
        <p className="list-footer muted" role="status">
          {hasNextPage && total !== undefined
            ? fill(c.rowsOfTotal, { count: formatNumber(rows.length), total: formatNumber(total) })
            : t(hasNextPage ? 'rowsLoaded' : 'allLoaded', {
                count: formatNumber(rows.length),
              })}
          {error && (
            <Button kind="quiet" onPress={() => fetchNextPage()}>
              {t('retry')}
            </Button>
          )}
        </p>
      </ListContent>
      {isBulk && chosen.length > 0 && (
        <Suspense>
          <BulkEdit resource={resource} fields={[...states, ...fields]} rows={chosen} onClose={() => setBulk(false)} />
        </Suspense>
      )}
      <CommandRunner
        resource={resource}
        scope={scope}
        rows={running?.rows ?? []}
        command={running?.command}
        onClose={() => setRunning(undefined)}
        onDone={() => setSelected(new Set())}
      />
    </>
  )
}

/** Whether a filter has few values. */
const hasFew = (schema: JsonSchema): boolean => schema.type === 'boolean' || schema.enum !== undefined

/** Values of the parameter that sorts. A list of collections can be sorted by several fields. */
function sortsOf(resource: Resource, parameters: readonly QueryParameter[]): readonly string[] {
  const schema = parameters.find(({ name }) => name === resource.sort)?.schema
  return (schema?.enum ?? schema?.items?.enum ?? []).map(String)
}

const canCount = ({ name, schema }: QueryParameter): boolean =>
  name === 'include' && (schema.enum?.includes('total') ?? schema.const === 'total')

interface NothingProps {
  readonly resource: Resource
  readonly scope: Scope
  readonly isNarrowed: boolean
  readonly isTrash: boolean
  readonly onClear: () => void
}

function Nothing({ resource, scope, isNarrowed, isTrash, onClear }: NothingProps) {
  const t = useTexts()
  const c = useCollectionTexts()
  if (isNarrowed) return <NoMatches onClear={onClear} />
  if (isTrash) return <EmptyState icon="trash-2" title={c.trashEmpty} text={c.trashEmptyText} />
  const { create } = resource.operations
  return (
    <EmptyState
      icon={resource.icon ?? 'inbox'}
      title={t('empty', { title: inSentence(resource.title) })}
      text={t(create ? 'emptyCreateText' : 'emptyText')}
    >
      {create && (
        <Link className="button primary" to={newUrl(resource)} search={searchOf(scope)}>
          {createTitle(resource, t)}
        </Link>
      )}
    </EmptyState>
  )
}
