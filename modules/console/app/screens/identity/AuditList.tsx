/** The audit log of the workspace, with filters for action, person and time. */

import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Button } from '../../components/Button.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { FilterSelect } from '../../components/FilterSelect.tsx'
import { ListContent } from '../../components/ListContent.tsx'
import { Page } from '../../components/Page.tsx'
import { TypedInput } from '../../components/TypedInput.tsx'
import { callApi } from '../../data/api.ts'
import type { ListOf } from '../../data/get.ts'
import { useStore } from '../../data/store.ts'
import { languageStore, useTexts } from '../../locales/index.ts'
import { useFilterChange } from '../../resource/filters.ts'
import { crumbsOf } from '../../resource/generic.ts'
import type { ListSearch } from '../../router.tsx'
import type { ResourceScreenProps } from '../registry.ts'
import { AuditEntries } from './AuditEntries.tsx'
import { AUDIT_ACTIONS, type AuditEntry, actionTitle } from './audit.ts'
import { useNames } from './people.ts'
import { useIdentityTexts } from './texts.ts'
import './identity.css'

const PAGE_SIZE = 50

/** Days of the browser's time zone as instants. */
const startOf = (day: string): string => new Date(`${day}T00:00:00`).toISOString()
const endOf = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString()

export default function AuditList({ resource }: ResourceScreenProps) {
  const t = useTexts()
  const c = useIdentityTexts()
  const language = useStore(languageStore)
  const show = useFilterChange()
  const names = useNames()
  const { filters = {} } = useSearch({ strict: false }) as ListSearch
  const { action = '', person = '', since = '', until = '' } = filters
  const query = {
    ...{ limit: PAGE_SIZE, 'filter[action]': action, 'filter[userId]': person },
    ...(since && { 'filter[since]': startOf(since) }),
    ...(until && { 'filter[until]': endOf(until) }),
  }
  const list = useInfiniteQuery({
    queryKey: ['audit', query],
    queryFn: async ({ pageParam, signal }) => {
      const path = '/v1/identity/audit'
      return (await callApi<ListOf<AuditEntry>>({ path, query: { ...query, cursor: pageParam }, signal })).body
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const entries = list.data?.pages.flatMap(({ data: page }) => page) ?? []
  const isNarrowed = Object.keys(filters).length > 0
  return (
    <Page title={resource.title} crumbs={crumbsOf({ ...resource, within: '' })}>
      <search className="toolbar audit-filters">
        <FilterSelect
          label={c.action}
          value={action}
          options={AUDIT_ACTIONS.map(each => [each, actionTitle(each, language)])}
          onChange={chosen => show({ action: chosen })}
        />
        <FilterSelect label={c.actor} value={person} options={[...names]} onChange={id => show({ person: id })} />
        <TypedInput type="date" label={c.since} value={since} onChange={day => show({ since: day })} />
        <TypedInput type="date" label={c.until} value={until} onChange={day => show({ until: day })} />
        {isNarrowed && (
          <Button kind="quiet" onPress={() => show({ action: '', person: '', since: '', until: '' })}>
            {t('clearFilters')}
          </Button>
        )}
      </search>
      <ListContent
        list={list}
        isEmpty={entries.length === 0}
        empty={
          <EmptyState
            icon="scroll-text"
            title={c.noEntries}
            text={isNarrowed ? t('emptyFilteredText') : c.noEntriesText}
          />
        }
      >
        <AuditEntries entries={entries} names={names} label={resource.title} />
        {hasNextPage && (
          <p className="more">
            <Button isDisabled={isFetchingNextPage} onPress={() => fetchNextPage()}>
              {c.older}
            </Button>
          </p>
        )}
      </ListContent>
    </Page>
  )
}
