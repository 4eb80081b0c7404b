/** A list that is loaded again every few seconds, with a filter for the state. */

import { Link, useNavigate, useSearch } from '@tanstack/react-router'
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
import { crumbsOf, newUrl } from '../../resource/generic.ts'
import type { ListSearch } from '../../router.tsx'
import { REFRESH_MS, STATUSES, useStreamTexts } from './texts.ts'

interface Props {
  readonly resource: Resource
  readonly columns: readonly Column<Row>[]
  readonly rowActions?: ((row: Row) => ReactNode) | undefined
}

export function LiveList({ resource, columns, rowActions }: Props) {
  const t = useTexts()
  const c = useStreamTexts()
  const navigate = useNavigate()
  const { q = '', filters = {} } = useSearch({ strict: false }) as ListSearch
  const status = filters['filter[status]'] ?? ''
  const list = useRows(resource, { q, filters: { 'filter[status]': status } }, {}, true, REFRESH_MS)
  const { rows } = list
  const show = (next: { readonly q: string; readonly status: string }) =>
    navigate({
      to: '.',
      search: {
        ...(next.q && { q: next.q }),
        ...(next.status && { filters: { 'filter[status]': next.status } }),
      } as never,
      replace: true,
    })
  const isNarrowed = q !== '' || status !== ''
  const createLink = resource.operations.create && (
    <Link className="button primary" to={newUrl(resource)}>
      {t('create', { name: nounOf(resource) })}
    </Link>
  )
  return (
    <Page title={resource.title} crumbs={crumbsOf({ ...resource, within: '' })} actions={createLink}>
      <search className="toolbar">
        <TypedInput label={c.findCode} value={q} onChange={text => show({ q: text, status })} />
        <FilterSelect
          label={fieldLabel('status')}
          value={status}
          options={STATUSES.map(each => [each, c[each]])}
          onChange={chosen => show({ q, status: chosen })}
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
            {isNarrowed ? <Button onPress={() => show({ q: '', status: '' })}>{t('clearFilters')}</Button> : createLink}
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
