import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { StateBadge } from '../components/Badge.tsx'
import { ErrorState, Loading } from '../components/EmptyState.tsx'
import { Page } from '../components/Page.tsx'
import { type TabPart, Tabs } from '../components/Tabs.tsx'
import type { Collection } from '../data/collection.ts'
import { useDocument } from '../data/document.ts'
import type { Search } from '../data/list.ts'
import {
  createTitle,
  headingOf,
  isReadOnly,
  type Resource,
  type Row,
  type Scope,
  scopeOf,
  useResources,
} from '../data/resources.ts'
import { useTexts } from '../locales/index.ts'
import { crumbsOf, editUrl, type GenericProps, newUrl, resourcePath, searchOf, useRecord } from './generic.ts'
import { ReadOnlyNotice } from './ReadOnlyNotice.tsx'
import { RecordCommands } from './RecordActions.tsx'
import { ResourceList } from './ResourceList.tsx'
import { RecordFacts } from './RowFacts.tsx'
import { useAddedTabs } from './record-tabs.tsx'
import { StateButtons } from './StateButtons.tsx'

const VersionHistory = lazy(() => import('./VersionHistory.tsx'))

/** The former versions of a row of a collection. */
const isHistory = (resource: Resource, related: Resource): boolean =>
  related.within === resource.id && related.id === `${resource.id}-versions`

export function RecordScreen({ resource, id, search }: GenericProps) {
  const t = useTexts()
  const navigate = useNavigate()
  const { data: resources = [] } = useResources()
  const scope = search.with ?? {}
  const addedTabs = useAddedTabs()
  const { data, error, isPending, refetch } = useRecord(resource, id, scope)
  const { data: document } = useDocument()
  const collection = document?.collection(resource.operations.list.id)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  const record = data.body
  const title = headingOf(resource, record)
  const stateName = record.status === undefined ? 'state' : 'status'
  const status = record[stateName]

  const tabs: TabPart[] = [
    {
      id: 'details',
      title: t('details'),
      render: () => <RecordFacts resource={resource} record={record} />,
    },
    ...addedTabs(resource, record),
    ...relatedTabs(resource, resources, record, search, collection),
  ]
  const [first] = tabs
  return (
    <Page
      title={title}
      crumbs={crumbsOf(resource)}
      badge={typeof status === 'string' && <StateBadge states={resource.states[stateName]} value={status} />}
      actions={
        <>
          {collection && (
            <StateButtons resource={resource} collection={collection} scope={scope} record={record} etag={data.etag} />
          )}
          <RecordCommands
            resource={resource}
            scope={scope}
            record={record}
            label={title}
            onDeleted={() => navigate({ to: resourcePath(resource), search: searchOf(scope) })}
          />
          {resource.operations.update && !isReadOnly(resource, record) && (
            <Link className="button primary" to={editUrl(resource, id)} search={searchOf(scope)}>
              {t('edit')}
            </Link>
          )}
        </>
      }
    >
      <ReadOnlyNotice resource={resource} row={record} />
      {tabs.length === 1 ? (
        first?.render()
      ) : (
        <Tabs
          label={title}
          tabs={tabs}
          selected={tabs.find(({ id: each }) => each === search.tab)?.id ?? 'details'}
          onSelect={tab =>
            navigate({
              to: '.',
              search: { ...searchOf(scope), ...(tab !== 'details' && { tab }) },
              replace: true,
            })
          }
        />
      )}
    </Page>
  )
}

/** Tabs with the lists that belong to a record. @param collection of the record, if it is a row. */
export const relatedTabs = (
  resource: Resource,
  resources: readonly Resource[],
  record: Row,
  search: Search,
  collection?: Collection,
): TabPart[] =>
  resource.relations.flatMap(({ resource: name, parameters }) => {
    const related = resources.find(({ id, offered }) => id === name && offered)
    if (!related) return []
    const scope = scopeOf(parameters, record)
    const render = () =>
      collection && isHistory(resource, related) ? (
        <Suspense fallback={<Loading />}>
          <VersionHistory resource={related} rows={resource} collection={collection} scope={scope} />
        </Suspense>
      ) : (
        <Related resource={related} scope={scope} search={search} />
      )
    return [{ id: related.id, title: related.title, render }]
  })

interface RelatedProps {
  readonly resource: Resource
  readonly scope: Scope
  readonly search: Search
}

function Related({ resource, scope, search }: RelatedProps) {
  const t = useTexts()
  return (
    <>
      {resource.operations.create && (
        <div className="row end">
          <Link className="button secondary" to={newUrl(resource)} search={searchOf(scope)}>
            {createTitle(resource, t)}
          </Link>
        </div>
      )}
      <ResourceList resource={resource} scope={scope} search={search} />
    </>
  )
}
