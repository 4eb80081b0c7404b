/** A list that is loaded again every few seconds, with a filter for the state. */

import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button } from '../../components/Button.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { FilterSelect } from '../../components/FilterSelect.tsx'
import { ListContent } from '../../components/ListContent.tsx'
import { Page } from '../../components/Page.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { TypedInput } from '../../components/TypedInput.tsx'
import { moreOf, useRows } from '../../data/list.ts'
import { inSentence, nounOf, type Resource, type Row } from '../../data/resources.ts'
import { fieldLabel, useTexts } from '../../locales/index.ts'
import { useFilterChange } from '../../resource/filters.ts'
import { crumbsOf, newUrl } from '../../resource/generic.ts'
import type { ListSearch } from '../../router.tsx'
import { REFRESH_MS, STATUSES, useStreamTexts } from './texts.ts'

const STATUS = 'filter[status]'

interface Props {
  readonly resource: Resource
  readonly columns: readonly Column<Row>[]
  readonly rowActions?: ((row: Row) => ReactNode) | undefined
}

export function LiveList({ resource, columns, rowActions }: Props) {
  const t = useTexts()
  const c = useStreamTexts()
  const show = useFilterChange()
  const { q = '', filters = {} } = useSearch({ strict: false }) as ListSearch
  const status = filters[STATUS] ?? ''
  const list = useRows(resource, { q, filters: { [STATUS]: status } }, {}, true, REFRESH_MS)
  const { rows } = list
  const isNarrowed = q !== '' || status !== ''
  const createLink = resource.operations.create && (
    <Link className="button primary" to={newUrl(resource)}>
      {t('create', { name: nounOf(resource) })}
    </Link>
  )
  return (
    <Page title={resource.title} crumbs={crumbsOf({ ...resource, within: '' })} actions={createLink}>
      <search className="toolbar">
        <TypedInput label={c.findCode} value={q} onChange={text => show({ q: text })} />
        <FilterSelect
          label={fieldLabel('status')}
          value={status}
          options={STATUSES.map(each => [each, c[each]])}
          onChange={chosen => show({ [STATUS]: chosen })}
        />
      </search>
      <ListContent
        list={list}
        isEmpty={rows.length === 0}
        empty={
          <EmptyState
            icon={isNarrowed ? 'search' : (resource.icon ?? 'radio')}
            title={isNarrowed ? t('emptyFiltered') : t('empty', { title: inSentence(resource.title) })}
            text={isNarrowed ? t('emptyFilteredText') : t(createLink ? 'emptyCreateText' : 'emptyText')}
          >
            {isNarrowed ? (
              <Button onPress={() => show({ q: '', [STATUS]: '' })}>{t('clearFilters')}</Button>
            ) : (
              createLink
            )}
          </EmptyState>
        }
      >
        <Table
          label={c.liveList}
          columns={columns}
          rows={rows}
          rowKey={row => String(row.id)}
          rowLabel={row => String(row.code)}
          rowActions={rowActions}
          {...moreOf(list)}
        />
      </ListContent>
    </Page>
  )
}
